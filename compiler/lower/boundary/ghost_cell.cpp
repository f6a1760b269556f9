#include "lower/boundary/ghost_cell.h"

#include <array>
#include <cmath>
#include <utility>

#include "lower/boundary/ghost_value.h"
#include "lower/boundary/grid_ends.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::Body;
using kernel::ExprPtr;

namespace {

class Anywhere {
 public:
  Anywhere(const Context& context, const ir::Read& read, const std::vector<ExprPtr>& at,
           const EdgeTaps::Fetch& fetch)
      : context_(context), read_(read), at_(at), fetch_(fetch) {}

  // The axes before `axis` are decided.
  Body from(int axis, std::array<int, 3> outside, const Names& names) {
    if (axis == context_.rank()) return value(outside, names);
    if (is_one(context_.stencil.fields[read_.field].boundary, axis)) {
      outside[axis] = EdgeTaps::kEither;
      return from(axis + 1, outside, names);
    }
    Body body;
    kernel::If ends{beyond_end(context_, axis, 0, at_[axis]), {}, {}};
    outside[axis] = EdgeTaps::kBelow;
    ends.yes = from(axis + 1, outside, names);
    outside[axis] = 1;
    body.push_back({std::move(ends)});
    Body high = from(axis + 1, outside, names);
    std::move(high.begin(), high.end(), std::back_inserter(body));
    return body;
  }

 private:
  Body value(const std::array<int, 3>& outside, Names names) {
    Body body;
    EdgeTaps taps(context_, at_, outside, names, body, fetch_);
    ExprPtr value = taps(read_);
    constexpr int kWidth = 50;
    if (const auto* load = kernel::as<kernel::Load>(value);
        load && !load->row && width(load->at) > kWidth) {
      const ExprPtr place = declare("i", load->at, names, body);
      value = kernel::load(load->buffer, place);
    }
    body.push_back({kernel::Return{value}});
    return body;
  }

  const Context& context_;
  const ir::Read read_;
  const std::vector<ExprPtr>& at_;
  const EdgeTaps::Fetch& fetch_;
};

bool is_number(const ExprPtr& value) {
  return kernel::as<kernel::Real>(value) || kernel::as<kernel::Int>(value);
}

// Places instead of values, in all that a body returns. False where there is none.
struct PlaceOf {
  const kernel::Buffer& memory;
  ExprPtr ghost;

  bool in(Body& body) {
    for (kernel::Stmt& stmt : body) {
      if (auto* returned = std::get_if<kernel::Return>(&stmt.node)) {
        returned->value = of(returned->value);
        if (!returned->value) return false;
      }
      auto* split = std::get_if<kernel::If>(&stmt.node);
      if (split && !(in(split->yes) && in(split->no))) return false;
    }
    return true;
  }

 private:
  // Null: there is none.
  ExprPtr of(const ExprPtr& value) {
    if (const auto* load = kernel::as<kernel::Load>(value))
      return load->buffer.name == memory.name ? load->at : nullptr;
    if (const auto* pick = kernel::as<kernel::Pick>(value)) {
      const ExprPtr yes = of(pick->yes), no = of(pick->no);
      if (!yes || !no) return nullptr;
      return kernel::make(kernel::Type::index, kernel::Pick{pick->condition, yes, no});
    }
    if (!is_number(value)) return nullptr;
    if (ghost && !same(ghost, value)) return nullptr;
    ghost = value;
    return kernel::index(-1);
  }
  static bool same(const ExprPtr& a, const ExprPtr& b) {
    const auto *x = kernel::as<kernel::Real>(a), *y = kernel::as<kernel::Real>(b);
    if (x && y) return x->value == y->value && std::signbit(x->value) == std::signbit(y->value);
    const auto *i = kernel::as<kernel::Int>(a), *j = kernel::as<kernel::Int>(b);
    return i && j && i->value == j->value;
  }
};

}  // namespace

std::optional<Places> places_anywhere(const Context& context, int field, int level,
                                      const std::vector<ExprPtr>& at, const Names& names) {
  const kernel::Buffer& memory = buffer_of(context, ir::Read{field, level, {}});
  Places result{cell_anywhere(context, field, level, at, names), nullptr};
  PlaceOf places{memory, nullptr};
  if (!places.in(result.body)) return {};
  result.ghost = places.ghost;
  if (!result.ghost) result.ghost = constant(ir::Scalar{context.stencil.fields[field].type});
  return result;
}

Body cell_anywhere(const Context& context, int field, int level, const std::vector<ExprPtr>& at,
                   const Names& names, const EdgeTaps::Fetch& fetch, int first_axis) {
  return Anywhere(context, ir::Read{field, level, {}}, at, fetch).from(first_axis, {}, names);
}

}  // namespace stencilc::lower
