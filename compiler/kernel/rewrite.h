// Changes parts of kernel IR in place. Expressions are shared and immutable, so what holds a
// changed part is made anew.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "kernel/kernel.h"

namespace stencilc::kernel {

// Calls `with` for each child of an expression of one's own, which it may replace.
template <class With>
void replace_children(Expr& expr, const With& with) {
  struct Visit {
    const With& with;
    void operator()(Int&) const {}
    void operator()(Real&) const {}
    void operator()(Var&) const {}
    void operator()(Place&) const {}
    void operator()(Identity&) const {}
    void operator()(Bin& n) const { with(n.left), with(n.right); }
    void operator()(Neg& n) const { with(n.value); }
    void operator()(Not& n) const { with(n.value); }
    void operator()(Fma& n) const { with(n.a), with(n.b), with(n.c); }
    void operator()(Call& n) const {
      for (ExprPtr& arg : n.args) with(arg);
    }
    void operator()(Convert& n) const { with(n.value); }
    void operator()(Load& n) const {
      if (n.row) with(n.row);
      with(n.at);
    }
    void operator()(Beside& n) const { with(n.own), with(n.at); }
    void operator()(Entry& n) const {
      for (ExprPtr& arg : n.args) with(arg);
    }
    void operator()(Pick& n) const { with(n.condition), with(n.yes), with(n.no); }
  };
  std::visit(Visit{with}, expr.node);
}

// Calls `change` for each buffer that the statements load from or store to, in their order. It says
// whether it has changed the buffer.
void change_buffers(Body& body, const std::function<bool(Buffer& buffer, bool loads)>& change);

// Names variables differently where they are read.
void rename_variables(Body& body, const std::map<std::string, std::string>& names);

}  // namespace stencilc::kernel
