// inject u[t+1] += amp[t] at src;      a thread for each entry of src, the cells its points belong
// to
//
//   if (e < src_count && src_head[e] != 0)            the first entry of its cell
//     sum = u_new[i]
//     for (n = e; n >= 0; n = src_next[n]) sum = fma(src_weight[n], amp[n / 4], sum)
//     u_new[i] = sum
#include "lower/points.h"

#include <set>

#include "ir/build.h"
#include "lower/arguments.h"
#include "lower/taps.h"

namespace stencilc::lower {
namespace {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::Let;

constexpr int kThreads = 256;

class PointKernel {
 public:
  // `stored`: the updates whose field the kernel writes.
  PointKernel(const ir::Stencil& stencil, const Signature& signature, plan::Target target,
              kernel::Module& module, std::vector<plan::Stored> stored)
      : stencil_(stencil),
        module_(module),
        target_(target),
        plan_{std::move(stored), {}, {}, false},
        context_(signature, stencil, plan_, false, target) {}

  // The n-th injection.
  kernel::Launch inject(const ir::Injection& injection) {
    const ir::Field& field = stencil_.fields[injection.field];
    const bool linear = stencil_.points[injection.points].linear;
    begin("inject_" + field.name, injection.points, field.compute, true);
    context_.numbering = Numbering({injection.value});
    Body body;
    const ExprPtr e = thread(body, places_ + "_count");
    kernel::If head{kernel::bin(BinOp::ne, kernel::load(head_, e),
                                kernel::make(kernel::Type::i64, kernel::Int{0})),
                    {},
                    {}};
    std::vector<ExprPtr> at = cell_of(e, head.yes);
    const ExprPtr i = declare("i", linear_index(at), head.yes);
    const kernel::Buffer& target = context_.targets[injection.field];
    const std::string sum = context_.names.claim("sum");
    const kernel::Type type = type_of(field.type);
    head.yes.push_back({Let{sum, kernel::load(target, i), true}});
    kernel::For links;
    links.name = context_.names.claim("n");
    links.first = e;
    links.next = i64_as_index(kernel::load(next_, kernel::var(links.name)));
    const ExprPtr n = kernel::var(links.name);
    context_.point = declare("p", corners() == 1 ? n : quotient(n), links.body);
    const ExprPtr value = value_at(injection.value, at, i, links.body);
    const ExprPtr old = converted(kernel::var(sum, type), type_of(field.compute));
    const ExprPtr added =
        linear ? kernel::make(old->type, kernel::Fma{kernel::load(weight_, n), value, old})
               : kernel::bin(BinOp::add, old, value, !ir::is_float(field.compute));
    links.body.push_back({kernel::Assign{sum, converted(added, type)}});
    head.yes.push_back({std::move(links)});
    head.yes.push_back({kernel::Store{target, i, kernel::var(sum, type), nullptr}});
    return finish(std::move(head), std::move(body), e, places_ + "_count", false);
  }

  kernel::Launch sample(const ir::Sample& sample) {
    const ir::Series& series = stencil_.series[sample.series];
    const ir::Type compute = ir::arithmetic(series.type);
    begin("sample_" + series.name, sample.points, compute, false);
    context_.numbering = Numbering({sample.value});
    Body body;
    const std::string count = context_.point_counts[sample.points];
    const ExprPtr p = thread(body, count);
    context_.point = p;
    const kernel::Type type = type_of(compute);
    const std::string sum = context_.names.claim("sum"), any = context_.names.claim("any");
    Body one;
    one.push_back({Let{sum, lower::constant(ir::Scalar{compute}), true}});
    kernel::If all{nullptr, {}, {}};
    if (corners() == 1) {
      const ExprPtr inside = within(p);
      all.condition = inside;
      std::vector<ExprPtr> at = cell_of(p, all.yes);
      const ExprPtr i = declare("i", linear_index(at), all.yes);
      const ExprPtr value = converted(value_at(sample.value, at, i, all.yes), type);
      all.yes.push_back({kernel::Assign{sum, value}});
      one.push_back({std::move(all)});
    } else {
      one.push_back({Let{any, truth(false), true}});
      kernel::For loop;
      loop.name = context_.names.claim("corner");
      loop.first = kernel::index(0);
      loop.last = kernel::index(corners());
      const ExprPtr n = declare(
          "n", kernel::add(kernel::mul(p, kernel::index(corners())), kernel::var(loop.name)),
          loop.body);
      all.condition = within(n);
      std::vector<ExprPtr> at = cell_of(n, all.yes);
      const ExprPtr i = declare("i", linear_index(at), all.yes);
      const ExprPtr value = converted(value_at(sample.value, at, i, all.yes), type);
      const ExprPtr weight = kernel::load(weight_, n), so_far = kernel::var(sum, type);
      all.yes.push_back({kernel::If{
          kernel::var(any, kernel::Type::boolean),
          {{kernel::Assign{sum, kernel::make(type, kernel::Fma{weight, value, so_far})}}},
          {{kernel::Assign{sum, kernel::bin(BinOp::mul, weight, value)}}}}});
      all.yes.push_back({kernel::Assign{any, truth(true)}});
      loop.body.push_back({std::move(all)});
      one.push_back({std::move(loop)});
    }
    one.push_back({kernel::Store{context_.series[sample.series], p,
                                 converted(kernel::var(sum, type), type_of(series.type))}});
    kernel::If whole{nullptr, std::move(one), {}};
    return finish(std::move(whole), std::move(body), p, count, true);
  }

 private:
  static ExprPtr truth(bool value) {
    return kernel::make(kernel::Type::boolean, kernel::Int{value});
  }
  static ExprPtr converted(const ExprPtr& value, kernel::Type type) {
    return value->type == type ? value : kernel::make(type, kernel::Convert{value});
  }
  static ExprPtr i64_as_index(const ExprPtr& value) {
    return kernel::make(kernel::Type::index, kernel::Convert{value});
  }
  int corners() const { return linear_ ? 1 << stencil_.rank() : 1; }
  ExprPtr quotient(const ExprPtr& n) const {
    return kernel::bin(BinOp::idiv, n, kernel::index(corners()));
  }

  ExprPtr declare(const std::string& wanted, const ExprPtr& value, Body& body) {
    const std::string name = context_.names.claim(wanted);
    body.push_back({Let{name, value}});
    return kernel::var(name, value->type);
  }

  // The kernel's places: the list, for weights of this type.
  void begin(const std::string& name, int points, ir::Type type, bool chained) {
    linear_ = stencil_.points[points].linear;
    launch_.kernel.name = name;
    launch_.kernel.rank = 1;
    launch_.kernel.threads[0] = launch_.kernel.tile[0] = kThreads;
    const kernel::Type weights = ir::is_float(type) ? type_of(type) : kernel::Type::f32;
    int found = -1;
    for (size_t n = 0; n < module_.places.size(); ++n)
      if (module_.places[n].points == points && module_.places[n].type == weights)
        found = static_cast<int>(n);
    if (found < 0) {
      found = static_cast<int>(module_.places.size());
      std::string name_of_places = context_.places[points];
      for (const kernel::Places& other : module_.places)  // f32 and f64 weights of one list
        if (other.name == name_of_places) name_of_places += "_too";
      module_.places.push_back({name_of_places, points, weights, false});
    }
    module_.places[found].chained |= chained;
    launch_.places = found;
    places_ = module_.places[found].name;
    for (int a = 0; a < stencil_.rank(); ++a)
      cells_.push_back({places_ + "_" + stencil_.axes[a], kernel::Type::i64, false});
    next_ = {places_ + "_next", kernel::Type::i64, false};
    head_ = {places_ + "_head", kernel::Type::i64, false};
    weight_ = {places_ + "_weight", weights, false};
  }

  // The thread's number; on a CPU the loop gives it.
  ExprPtr thread(Body& body, const std::string& count) {
    launch_.kernel.params.push_back({count, kernel::Type::index});
    if (target_ == plan::Target::cpu) return kernel::var(context_.names.claim("e"));
    const ExprPtr block = kernel::make(kernel::Type::index, kernel::Place{kernel::Place::block, 0});
    const ExprPtr own = kernel::make(kernel::Type::index, kernel::Place{kernel::Place::thread, 0});
    return declare("e", kernel::add(kernel::mul(block, kernel::index(kThreads)), own), body);
  }

  // Is the entry a cell of the grid?
  ExprPtr within(const ExprPtr& n) const {
    return kernel::bin(BinOp::ge, i64_as_index(kernel::load(cells_[0], n)), kernel::index(0));
  }
  std::vector<ExprPtr> cell_of(const ExprPtr& n, Body& body) {
    std::vector<ExprPtr> at;
    for (int a = 0; a < stencil_.rank(); ++a)
      at.push_back(
          declare(stencil_.axes[a] + "_cell", i64_as_index(kernel::load(cells_[a], n)), body));
    return at;
  }
  ExprPtr linear_index(const std::vector<ExprPtr>& at) const { return linear(context_, at); }

  // Reads stay at the cell: none is near a rim.
  ExprPtr value_at(const ir::ExprPtr& value, const std::vector<ExprPtr>& at, const ExprPtr& i,
                   Body& body) {
    const auto tap = [this, at, i](const ir::Read& read) {
      return interior_tap(context_, at, i, read);
    };
    return Cell(context_, at, tap, context_.names, body).value(value);
  }

  kernel::Launch finish(kernel::If guarded, Body body, const ExprPtr& thread,
                        const std::string& count, bool per_point) {
    launch_.per_point = per_point;
    const ExprPtr number = kernel::var(count);
    if (target_ == plan::Target::cpu) {
      kernel::For loop;
      loop.name = kernel::as<kernel::Var>(thread)->name;
      loop.first = kernel::index(0);
      loop.last = number;
      if (guarded.condition)
        loop.body.push_back({std::move(guarded)});
      else
        loop.body = std::move(guarded.yes);
      body.push_back({std::move(loop)});
    } else {
      kernel::If all{kernel::bin(BinOp::lt, thread, number), {}, {}};
      if (guarded.condition)
        all.yes.push_back({std::move(guarded)});
      else
        all.yes = std::move(guarded.yes);
      body.push_back({std::move(all)});
    }
    add_arguments(context_, module_, launch_);
    place_buffers();
    launch_.kernel.body = kernel::without_unused(std::move(body));
    drop_unused(module_, launch_);
    return std::move(launch_);
  }

  void place_buffers() {
    const auto add = [&](const kernel::Buffer& buffer, kernel::BufferArg::Kind kind, int slot) {
      launch_.kernel.buffers.push_back(buffer);
      launch_.buffer_args.push_back({kind, launch_.places, slot});
    };
    for (int a = 0; a < stencil_.rank(); ++a) add(cells_[a], kernel::BufferArg::cell, a);
    add(next_, kernel::BufferArg::chain, 0);
    add(head_, kernel::BufferArg::chain, 1);
    add(weight_, kernel::BufferArg::weight, 0);
  }

  const ir::Stencil& stencil_;
  kernel::Module& module_;
  const plan::Target target_;
  const plan::Launch plan_;
  Context context_;
  kernel::Launch launch_;
  bool linear_ = false;
  std::string places_;
  std::vector<kernel::Buffer> cells_;
  kernel::Buffer next_, head_, weight_;
};

}  // namespace

void lower_injections(const ir::Stencil& stencil, const Signature& signature, Names& kernels,
                      plan::Target target, kernel::Module& module) {
  for (const ir::Injection& injection : stencil.injections) {
    kernel::Launch launch =
        PointKernel(stencil, signature, target, module,
                    {{stencil.update_of(injection.field), nullptr, nullptr, true}})
            .inject(injection);
    launch.kernel.name = kernels.claim(launch.kernel.name);
    module.launches.push_back(std::move(launch));
  }
}

void lower_samples(const ir::Stencil& stencil, const Signature& signature, bool after,
                   Names& kernels, plan::Target target, kernel::Module& module) {
  for (const ir::Sample& sample : stencil.samples) {
    if (sample.after != after) continue;
    kernel::Launch launch = PointKernel(stencil, signature, target, module, {}).sample(sample);
    launch.kernel.name = kernels.claim(launch.kernel.name);
    module.launches.push_back(std::move(launch));
  }
}

}  // namespace stencilc::lower
