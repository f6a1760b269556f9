// The slots of a ring in shared memory, as arithmetic. Stage n of a stream, a row or a plane, lies
// in slot n % depth. It is asked for `ahead` stages before it is in work, and stays until `behind`
// later ones have been in work. What fills a ring, and who waits for it, is another's job.
#pragma once

#include <algorithm>
#include <string>

#include "lower/context/build.h"
#include "lower/context/context.h"

namespace stencilc::lower {

class Slots {
 public:
  // `depth`: the name of their number.
  Slots(const Context& context, std::string depth, int ahead, int behind)
      : context_(context), name_(std::move(depth)), ahead_(ahead), behind_(behind) {}

  // Stages are read again when so many later ones are in work, too.
  void keep(int behind) { behind_ = std::max(behind_, behind); }
  int behind() const { return behind_; }
  int depth() const { return ahead_ + 1 + behind_; }
  // The same as constants of the kernel.
  kernel::Count count() const { return context_.count(name_, depth()); }
  kernel::Count distance() const { return context_.count("prefetch_distance", ahead_); }

  // Declares the variable that has the slot of the stage in work, or the one that has the slot of
  // the stage before. The first stage lies in slot 0; the slot before that is no one's yet.
  void declare(const std::string& wanted, kernel::Body& body);
  void declare_previous(const std::string& wanted, kernel::Body& body);
  const kernel::ExprPtr& current() const { return current_; }
  const kernel::ExprPtr& previous() const { return previous_; }
  // The slot of the stage that is asked for while this one is in work.
  kernel::ExprPtr asked() const;
  // The slot of the next stage.
  kernel::ExprPtr next() const;
  // The slot of the stage so many before, which is not more than stay. Where stages have one slot,
  // there is no variable.
  kernel::ExprPtr before(int stages) const;
  kernel::ExprPtr before(const kernel::ExprPtr& stages, Names& names, kernel::Body& body) const;
  // Goes on to the next stage.
  void go_on(kernel::Body& body) const;

 private:
  kernel::ExprPtr wrapped(const kernel::ExprPtr& back, const kernel::ExprPtr& on) const;

  const Context& context_;
  std::string name_;
  int ahead_ = 0, behind_ = 0;
  kernel::ExprPtr current_, previous_;
};

}  // namespace stencilc::lower
