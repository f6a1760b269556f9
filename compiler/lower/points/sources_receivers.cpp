// inject u[t+1] += amp[t] at src;      a thread for each entry of src, the cells its points belong
// to
//
//   if (e < src_count && src_head[e] != 0)            the first entry of its cell
//     sum = u_new[i]
//     for (n = e; n >= 0; n = src_next[n]) sum = fma(src_weight[n], amp[n / 4], sum)
//     u_new[i] = sum
//
// A box takes the injections at its cells, and the samples whose first cell is its own: the others
// of these lie beside it, one cell further at most. The box with the first cell of the grid also
// stores the samples that have no cell.
#include "lower/points/sources_receivers.h"

#include <functional>
#include <set>

#include "ir/build.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"
#include "lower/context/kernel_arguments.h"

namespace stencilc::lower {
namespace {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::Let;

constexpr int kThreads = 256;

class PointKernel {
 public:
  // `stored`: the updates whose field the kernel writes. `value`: what it computes at cells, of the
  // box where launches compute one; null: nothing.
  PointKernel(const ir::Stencil& stencil, const Signature& signature, plan::Target target,
              kernel::Module& module, std::vector<plan::Stored> stored, const ir::ExprPtr& value)
      : stencil_(stencil),
        module_(module),
        target_(target),
        plan_{std::move(stored), {}, {}, false},
        builder_(signature),
        context_(signature, stencil, plan_, target, builder_, options(signature, value)) {}

  // The n-th injection.
  kernel::Launch inject(const ir::Injection& injection) {
    const ir::Field& field = stencil_.fields[injection.field];
    const bool linear = stencil_.points[injection.points].linear;
    begin("inject_" + field.name, injection.points, field.compute, true);
    Body body;
    const ExprPtr e = thread(body, places_ + "_count");
    kernel::If head{kernel::bin(BinOp::ne, kernel::load(head_, e),
                                kernel::make(kernel::Type::i64, kernel::Int{0})),
                    {},
                    {}};
    std::vector<ExprPtr> at = cell_of(e, head.yes);
    kernel::If own{in_box(at), {}, {}};
    Body& one = own.condition ? own.yes : head.yes;
    const ExprPtr i = declare("i", linear_index(at), one);
    const kernel::Buffer& target = context_.targets[injection.field];
    const std::string sum = context_.names.claim("sum");
    const kernel::Type type = type_of(field.type);
    one.push_back({Let{sum, kernel::load(target, i), true}});
    kernel::For links;
    links.name = context_.names.claim("n");
    links.first = e;
    links.next = i64_as_index(kernel::load(next_, kernel::var(links.name)));
    const ExprPtr n = kernel::var(links.name);
    const ExprPtr p = declare("p", corners() == 1 ? n : quotient(n), links.body);
    const ExprPtr value = value_at(injection.value, p, at, i, links.body);
    const ExprPtr old = converted(kernel::var(sum, type), type_of(field.compute));
    const ExprPtr added =
        linear ? kernel::make(old->type, kernel::Fma{kernel::load(weight_, n), value, old})
               : kernel::bin(BinOp::add, old, value, !ir::is_float(field.compute));
    links.body.push_back({kernel::Assign{sum, converted(added, type)}});
    one.push_back({std::move(links)});
    one.push_back({kernel::Store{target, i, kernel::var(sum, type), nullptr}});
    if (own.condition) head.yes.push_back({std::move(own)});
    launch_.injects = true;
    return finish(std::move(head), std::move(body), e, places_ + "_count", false);
  }

  kernel::Launch sample(const ir::Sample& sample) {
    const ir::Series& series = stencil_.series[sample.series];
    begin("sample_" + series.name, sample.points, ir::arithmetic(series.type), false);
    Body body;
    const std::string count = context_.point_counts[sample.points];
    const ExprPtr p = thread(body, count);
    kernel::If whole{nullptr, {}, {}};
    whole.yes = sum_of_corners(sample, p, p, [&](const ExprPtr& n, Body& to) {
      std::vector<ExprPtr> at = cell_of(n, to);
      decide_by(at, to);
      const ExprPtr i = declare("i", linear_index(at), to);
      return value_at(sample.value, p, at, i, to);
    });
    return finish(std::move(whole), std::move(body), p, count, true);
  }

  // Of the values that a launch of several steps has stored.
  kernel::Launch gather(const ir::Sample& sample, int sampled, const std::string& steps) {
    const ir::Series& series = stencil_.series[sample.series];
    const kernel::Sampled& values = module_.sampled[sampled];
    begin("gather_" + series.name, sample.points, ir::arithmetic(series.type), false);
    launch_.after_steps = true;
    launch_.kernel.params.push_back({steps, kernel::Type::index});
    launch_.kernel.params.push_back({places_ + "_count", kernel::Type::index});
    Body body;
    const std::string count = context_.point_counts[sample.points];
    const ExprPtr p = thread(body, count);
    const kernel::Buffer from{values.name, values.type, false};
    launch_.kernel.buffers.push_back(from);
    launch_.buffer_args.push_back({kernel::BufferArg::sampled, sampled, 0});
    kernel::For loop;
    loop.name = context_.names.claim("k");
    loop.first = kernel::index(0);
    loop.last = kernel::var(steps);
    const ExprPtr k = kernel::var(loop.name);
    const ExprPtr target = kernel::add(kernel::mul(k, kernel::var(count)), p);
    loop.body = sum_of_corners(sample, p, target, [&](const ExprPtr& n, Body& to) {
      if (context_.box.is_cut(stencil_.rank() - 1)) decide_by(cell_of(n, to), to);
      const ExprPtr all = kernel::var(places_ + "_count");
      return kernel::load(from, kernel::add(kernel::mul(k, all), n));
    });
    kernel::If whole{nullptr, {{std::move(loop)}}, {}};
    return finish(std::move(whole), std::move(body), p, count, true);
  }

 private:
  // Stores what the entries of point p have, each value with its share, as value `place` of the
  // series.
  Body sum_of_corners(const ir::Sample& sample, const ExprPtr& p, const ExprPtr& place,
                      const std::function<ExprPtr(const ExprPtr& n, Body& to)>& value_of) {
    const ir::Series& series = stencil_.series[sample.series];
    const ir::Type compute = ir::arithmetic(series.type);
    const kernel::Type type = type_of(compute);
    const std::string sum = context_.names.claim("sum"), any = context_.names.claim("any");
    Body one;
    one.push_back({Let{sum, lower::constant(ir::Scalar{compute}), true}});
    declare_own(one);
    kernel::If all{nullptr, {}, {}};
    if (corners() == 1) {
      all.condition = within(p);
      const ExprPtr value = converted(value_of(p, all.yes), type);
      all.yes.push_back({kernel::Assign{sum, value}});
      one.push_back({std::move(all)});
    } else {
      one.push_back({Let{any, truth(false), true}});
      any_ = any;
      kernel::For loop;
      loop.name = context_.names.claim("corner");
      loop.first = kernel::index(0);
      loop.last = kernel::index(corners());
      const ExprPtr n = declare(
          "n", kernel::add(kernel::mul(p, kernel::index(corners())), kernel::var(loop.name)),
          loop.body);
      all.condition = within(n);
      const ExprPtr value = converted(value_of(n, all.yes), type);
      const ExprPtr weight = kernel::load(weight_, n), so_far = kernel::var(sum, type);
      all.yes.push_back({kernel::If{
          kernel::var(any, kernel::Type::boolean),
          {{kernel::Assign{sum, kernel::make(type, kernel::Fma{weight, value, so_far})}}},
          {{kernel::Assign{sum, kernel::bin(BinOp::mul, weight, value)}}}}});
      all.yes.push_back({kernel::Assign{any, truth(true)}});
      loop.body.push_back({std::move(all)});
      one.push_back({std::move(loop)});
    }
    kernel::Stmt store{kernel::Store{context_.series[sample.series], place,
                                     converted(kernel::var(sum, type), type_of(series.type))}};
    if (!own_.empty())
      one.push_back({kernel::If{kernel::var(own_, kernel::Type::boolean), {std::move(store)}, {}}});
    else
      one.push_back(std::move(store));
    return one;
  }

  static ContextOptions options(const Signature& signature, const ir::ExprPtr& value) {
    ContextOptions result;
    result.roots.emplace();
    if (value) result.roots->push_back(value);
    if (!signature.first.empty()) result.box = box_from(0, signature);
    return result;
  }

  // Whether the box stores the sample: a variable, if the launch computes one.
  void declare_own(Body& body) {
    ExprPtr first;
    for (int a = 0; a < stencil_.rank(); ++a)
      if (context_.box.is_cut(a))
        first =
            kernel::both(first, kernel::bin(BinOp::eq, context_.box.first(a), kernel::index(0)));
    if (!first) return;
    own_ = context_.names.claim("own");
    body.push_back({Let{own_, first, true}});
  }
  // The first cell decides.
  void decide_by(const std::vector<ExprPtr>& at, Body& body) {
    if (own_.empty()) return;
    kernel::Stmt decides{kernel::Assign{own_, in_box(at)}};
    const ExprPtr first = any_.empty()
                              ? nullptr
                              : kernel::make(kernel::Type::boolean,
                                             kernel::Not{kernel::var(any_, kernel::Type::boolean)});
    if (first)
      body.push_back({kernel::If{first, {std::move(decides)}, {}}});
    else
      body.push_back(std::move(decides));
  }
  // Null: the launch computes all of the grid.
  ExprPtr in_box(const std::vector<ExprPtr>& at) const {
    ExprPtr all;
    for (int a = 0; a < stencil_.rank(); ++a)
      if (context_.box.is_cut(a))
        all = kernel::both(all, kernel::both(kernel::bin(BinOp::ge, at[a], context_.box.first(a)),
                                             kernel::bin(BinOp::lt, at[a], context_.box.end(a))));
    return all;
  }

  static ExprPtr truth(bool value) {
    return kernel::make(kernel::Type::boolean, kernel::Int{value});
  }
  static ExprPtr converted(const ExprPtr& value, kernel::Type type) {
    return value->type == type ? value : kernel::make(type, kernel::Convert{value});
  }
  static ExprPtr i64_as_index(const ExprPtr& value) {
    return kernel::make(kernel::Type::index, kernel::Convert{value});
  }
  int corners() const { return lower::corners(stencil_, points_); }
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
    points_ = points;
    const int found = places_of(context_, points, type, module_);
    module_.places[found].chained |= chained;
    launch_.places = found;
    places_ = module_.places[found].name;
    for (int a = 0; a < stencil_.rank(); ++a)
      cells_.push_back({places_ + "_" + stencil_.axes[a], kernel::Type::i64, false});
    next_ = {places_ + "_next", kernel::Type::i64, false};
    head_ = {places_ + "_head", kernel::Type::i64, false};
    weight_ = {places_ + "_weight", module_.places[found].type, false};
  }

  // The thread's number; on a CPU the loop gives it.
  ExprPtr thread(Body& body, const std::string& count) {
    launch_.kernel.params.push_back({count, kernel::Type::index});
    if (target_ == plan::Target::cpu) return kernel::var(context_.names.claim("e"));
    const ExprPtr block = kernel::place(kernel::Place::block, 0);
    const ExprPtr own = kernel::place(kernel::Place::thread, 0);
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
  ExprPtr linear_index(const std::vector<ExprPtr>& at) const { return linear_of_any(context_, at); }

  // Reads stay at the cell: none is near a boundary.
  ExprPtr value_at(const ir::ExprPtr& value, const ExprPtr& point, const std::vector<ExprPtr>& at,
                   const ExprPtr& i, Body& body) {
    const auto tap = [this, at, i](const ir::Read& read) {
      return interior_tap(context_, at, i, read);
    };
    return Cell(context_, at, tap, context_.names, body, {{}, "", point, {}}).value(value);
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
    launch_.kernel.body = std::move(body);
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
  Builder builder_;
  const Context context_;
  kernel::Launch launch_;
  int points_ = 0;
  bool linear_ = false;
  std::string any_, own_;  // of a sample: has a cell been met, and is it the box's?
  std::string places_;
  std::vector<kernel::Buffer> cells_;
  kernel::Buffer next_, head_, weight_;
};

}  // namespace

int places_of(const Signature& signature, int points, ir::Type type, kernel::Module& module) {
  const kernel::Type weights = ir::is_float(type) ? type_of(type) : kernel::Type::f32;
  for (size_t n = 0; n < module.places.size(); ++n)
    if (module.places[n].points == points && module.places[n].type == weights)
      return static_cast<int>(n);
  std::string name = signature.places[points];
  for (const kernel::Places& other : module.places)  // f32 and f64 weights of one list
    if (other.name == name) name += "_too";
  module.places.push_back({name, points, weights});
  return static_cast<int>(module.places.size()) - 1;
}

int corners(const ir::Stencil& stencil, int points) {
  return stencil.points[points].linear ? 1 << stencil.rank() : 1;
}

void lower_injections(const ir::Stencil& stencil, const Signature& signature, Names& kernels,
                      plan::Target target, kernel::Module& module) {
  for (const ir::Injection& injection : stencil.injections) {
    kernel::Launch launch =
        PointKernel(stencil, signature, target, module,
                    {{stencil.update_of(injection.field), nullptr, nullptr, true}}, injection.value)
            .inject(injection);
    launch.kernel.name = kernels.claim(launch.kernel.name);
    module.launches.push_back(std::move(launch));
  }
}

void lower_samples(const ir::Stencil& stencil, const Signature& signature, bool after,
                   Names& kernels, plan::Target target, kernel::Module& module) {
  for (const ir::Sample& sample : stencil.samples) {
    if (sample.after != after) continue;
    kernel::Launch launch =
        PointKernel(stencil, signature, target, module, {}, sample.value).sample(sample);
    launch.kernel.name = kernels.claim(launch.kernel.name);
    module.launches.push_back(std::move(launch));
  }
}

void gather_samples(const ir::Stencil& stencil, const Signature& signature,
                    const std::string& steps, Names& kernels, kernel::Module& module) {
  for (size_t n = 0; n < stencil.samples.size(); ++n) {
    kernel::Launch launch = PointKernel(stencil, signature, plan::Target::cuda, module, {}, nullptr)
                                .gather(stencil.samples[n], static_cast<int>(n), steps);
    launch.kernel.name = kernels.claim(launch.kernel.name);
    module.launches.push_back(std::move(launch));
  }
}

}  // namespace stencilc::lower
