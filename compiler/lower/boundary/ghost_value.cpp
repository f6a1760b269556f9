// What lies outside the grid: the reads of cells near it.
//
// before   u[x-1], `x.lo: antireflect`       after   const Index at_xm1 = st::reflect(x - 1, nx);
//                                                    const bool flips_xm1 = st::flips<...>(x - 1,
//                                                    nx); const float u_xm1 = u[... + at_xm1];
//                                                    flips_xm1 ? -u_xm1 : u_xm1
#include "lower/boundary/ghost_value.h"

#include <cassert>

#include "ir/boundary.h"
#include "lower/boundary/ghost_plane.h"
#include "lower/boundary/grid_ends.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::ExprPtr;
using kernel::Fn;
using kernel::Type;

namespace {

// The kind that gives the same cells as they are: a change is no matter of the index.
ir::Edge unchanged(ir::Edge edge) {
  const ir::EdgeKind& kind = ir::kind_of(edge);
  for (const ir::EdgeKind& one : ir::edge_kinds())
    if (kind.sends_back() && one.source == kind.source && one.change == ir::EdgeKind::copied)
      return one.edge;
  return edge;
}

bool negates(ir::Edge edge) { return ir::kind_of(edge).change == ir::EdgeKind::negated; }

kernel::Side side_of(ir::Edge edge) {
  const ir::EdgeKind& kind = ir::kind_of(edge);
  if (kind.repeats_last()) return kernel::Side::clamp;
  if (kind.source == ir::EdgeKind::next) return kernel::Side::mirror;
  if (kind.source != ir::EdgeKind::again) return kernel::Side::stop;
  return kind.change == ir::EdgeKind::negated ? kernel::Side::antireflect : kernel::Side::reflect;
}

ExprPtr convert(const ExprPtr& value, Type type) {
  return value->type == type ? value : kernel::make(type, kernel::Convert{value});
}

// 2 - x for x - 2
ExprPtr negative(const ExprPtr& index) {
  const auto* difference = kernel::as<kernel::Bin>(index);
  if (difference && difference->op == BinOp::sub)
    return kernel::bin(BinOp::sub, difference->right, difference->left);
  return kernel::make(Type::index, kernel::Neg{index});
}

// Is an axis and its stride multiplied anywhere?
bool has_product(const ExprPtr& index) {
  const auto* bin = kernel::as<kernel::Bin>(index);
  if (!bin) return false;
  return (bin->op == BinOp::mul && !kernel::as<kernel::Int>(bin->left)) || has_product(bin->left) ||
         has_product(bin->right);
}

}  // namespace

bool is_one(const ir::Boundary& boundary, int axis) {
  const std::array<ir::Side, 2>& sides = boundary.sides[axis];
  if (sides[0].edge != sides[1].edge || ir::kind_of(sides[0]).by_distance()) return false;
  if (!sides[0].value) return true;
  const auto* low = ir::as<ir::Constant>(sides[0].value);
  const auto* high = ir::as<ir::Constant>(sides[1].value);
  const bool equal = low && high && low->value.type == high->value.type &&
                     low->value.real == high->value.real &&
                     low->value.integer == high->value.integer;
  return sides[0].value == sides[1].value || equal;
}

ExprPtr EdgeTaps::name(const std::string& wanted, const ExprPtr& value, Names& names,
                       kernel::Body& body) {
  if (kernel::as<kernel::Var>(value) || kernel::as<kernel::Int>(value) ||
      kernel::as<kernel::Real>(value))
    return value;
  const std::string name = names.claim(wanted);
  body.push_back({kernel::Let{name, value}});
  return kernel::var(name, value->type);
}

// A value along one axis that several reads use, named once.
template <class Make>
ExprPtr EdgeTaps::share(const char* wanted, std::array<ir::Edge, 2> edges, int axis, int offset,
                        const Make& value) {
  ExprPtr& known = known_[{wanted, edges, axis, offset}];
  if (known) return known;
  ir::Offset where = {};
  where[axis] = offset;
  const std::string label =
      offset == 0 ? wanted + ("_" + context_.axes[axis]) : context_.name_at(wanted, where);
  return known = name(label, value(), names_, body_);
}

// The coordinate that stands for at + offset by the index maps of the two sides.
ExprPtr EdgeTaps::mapped(std::array<ir::Edge, 2> edges, int axis, int offset) {
  edges = {unchanged(edges[0]), unchanged(edges[1])};
  return share("at", edges, axis, offset, [&] {
    const std::vector<ExprPtr> args = {kernel::add(at_[axis], offset), context_.box.extent(axis)};
    if (edges[0] != edges[1])
      return kernel::make(Type::index,
                          kernel::Call{Fn::fold, args, side_of(edges[0]), side_of(edges[1])});
    return kernel::call(Type::index, index_map(ir::kind_of(edges[0]).source), args);
  });
}

EdgeTaps::Bend EdgeTaps::bend(const ir::Boundary& boundary, int axis, int offset) {
  Bend bend;
  bend.ghost = bend.at = kernel::add(at_[axis], offset);
  const bool free = offset == 0 || anywhere_;  // it may be outside although the cell is not
  const int outside = free ? outside_[axis] : offset;
  if (outside == 0) return bend;
  const std::array<ir::Side, 2>& sides = boundary.sides[axis];
  const ExprPtr extent = context_.box.extent(axis);
  if (free && sides[outside < 0 ? 0 : 1].edge == ir::Edge::ghost) {
    // What no cell of the grid reads may not exist.
    const int halo = ir::ghost_halo(context_.stencil, field_)[axis];
    const ExprPtr at = kernel::call(Type::index, Fn::clamp,
                                    {kernel::add(bend.at, halo), kernel::add(extent, 2 * halo)});
    bend.at = name("at_" + context_.axes[axis], kernel::add(at, -halo), names_, body_);
    bend.moved = true;
    return bend;
  }
  std::array<ir::Edge, 2> edges = {ir::Edge::none, ir::Edge::none};  // of a plain coordinate
  bend.end = outside < 0 ? 0 : 1;
  if (free && ir::kind_of(sides[bend.end]).closed()) {
    bend.at = mapped({ir::Edge::clamp, ir::Edge::clamp}, axis, offset);
    bend.moved = true;
    return bend;
  }
  if (ir::kind_of(sides[bend.end]).sends_back()) {
    // In a short line the index comes back to the opposite side, and goes on by what holds there.
    const int opposite = 1 - bend.end;
    edges = {sides[0].edge, sides[1].edge};
    if (ir::kind_of(sides[opposite]).closed()) edges[opposite] = edges[bend.end];
    bend.ghost = bend.at = mapped(edges, axis, offset);
    bend.moved = true;
    if (negates(edges[0]) || negates(edges[1]))
      bend.flips = share("flips", edges, axis, offset, [&] {
        return kernel::make(Type::boolean, kernel::Call{Fn::flips,
                                                        {kernel::add(at_[axis], offset), extent},
                                                        side_of(edges[0]),
                                                        side_of(edges[1])});
      });
    if (ir::kind_of(edges[opposite]).repeats_last() || ir::kind_of(edges[opposite]).sends_back())
      return bend;
    bend.end = opposite;
  }
  const ir::Side& side = sides[bend.end];
  if (ir::kind_of(side).repeats_last()) {
    bend.at = mapped({ir::Edge::clamp, ir::Edge::clamp}, axis, offset);
    bend.moved = true;
  }
  if (!side.value) return bend;
  bend.side = &side;
  bend.outside = !ir::kind_of(sides[outside < 0 ? 0 : 1]).sends_back() &&
                 (outside == kBelow || outside == kAbove) && free;
  // The cell itself is inside, so one side needs a test.
  if (!bend.outside)
    bend.has = share("has", edges, axis, offset, [&] {
      if (free && outside == kEither) return in_grid(context_, axis, bend.ghost);
      return bend.end == 0 && !bend.moved
                 ? kernel::bin(BinOp::ge, at_[axis], kernel::index(-offset))
                 : before_end(context_, axis, bend.end, bend.ghost);
    });
  if (!ir::kind_of(side).by_distance()) return bend;
  bend.at = bend.moved ? share("edge", edges, axis, offset,
                               [&] {
                                 return kernel::call(Type::index, Fn::clamp, {bend.ghost, extent});
                               })
                       : mapped({ir::Edge::clamp, ir::Edge::clamp}, axis, offset);
  bend.moved = true;
  return bend;
}

std::string EdgeTaps::name_of(const ir::Read& read) const {
  return context_.name_at(buffer_of(context_, read).name, read.offset);
}

ExprPtr EdgeTaps::load(const ir::Read& read, const Bends& bends, Names& names, kernel::Body& body) {
  std::vector<ExprPtr> at;
  bool moved = false;
  for (const Bend& bend : bends) {
    at.push_back(bend.at);
    moved |= bend.moved;
  }
  if (fetch_) return fetch_(read, at, moved, names, body);
  if (!moved) return tap_anywhere(context_, at_, i_, read);
  return kernel::load(buffer_of(context_, read),
                      linear_of_any(context_, at, context_.stencil.fields[read.field]));
}

// The value of a side at its ghost cell: the axes before are mapped, those after are not yet.
ExprPtr EdgeTaps::value_of(const ir::Read& read, const Bends& bends, size_t axis, Names& names,
                           kernel::Body& body) {
  std::vector<ExprPtr> at;
  for (size_t a = 0; a < bends.size(); ++a)
    at.push_back(a < axis    ? bends[a].at
                 : a == axis ? bends[a].ghost
                             : kernel::add(at_[a], read.offset[a]));
  const ir::ExprPtr& value = bends[axis].side->value;
  if (const auto* kept = ir::as<ir::GhostRef>(value)) {
    // A temporary has no ghost cells beyond an axis whose sides lead to other cells.
    for (size_t a = axis + 1; a < bends.size(); ++a)
      if (bends[a].moved) at[a] = bends[a].at;
    return kernel::load(context_.ghosts[kept->field],
                        place_of(kept->field, read.offset, bends, at));
  }
  Cell cell(context_, std::move(at), nullptr, names, body);
  return cell.value(value);
}

// Where the ghost cell of a temporary lies: for all of those that have as many ghost cells.
ExprPtr EdgeTaps::place_of(int field, const ir::Offset& offset, const Bends& bends,
                           const std::vector<ExprPtr>& at) {
  std::array<const kernel::Expr*, 3> moved = {};
  for (size_t a = 0; a < bends.size(); ++a)
    if (bends[a].moved) moved[a] = at[a].get();
  ExprPtr& known = places_[{context_.stencil.fields[field].ghosts, offset, moved}];
  if (!known)
    known =
        name(context_.name_at("place", offset), ghost_place(context_, field, at), names_, body_);
  return known;
}

// What a side whose change depends on the distance makes of the cell at the boundary. The parts are
// named, so that each line is short.
ExprPtr EdgeTaps::changed(const ir::Read& read, const Bends& bends, size_t axis, ExprPtr value,
                          Names& names, kernel::Body& body) {
  const Bend& bend = bends[axis];
  if (!bend.side || !ir::kind_of(*bend.side).by_distance()) return value;
  const Type compute = type_of(context_.stencil.fields[read.field].compute);
  ir::Offset where = {};
  where[axis] = read.offset[axis];
  value = name(name_of(read), value, names, body);
  const ExprPtr given = value_of(read, bends, axis, names, body);
  const ExprPtr cells = bend.end == 0 ? negative(bend.ghost)
                                      : kernel::bin(BinOp::sub, kernel::add(bend.ghost, 1),
                                                    context_.box.extent(axis));
  const ExprPtr edge = convert(value, compute);
  ExprPtr ghost;
  switch (ir::kind_of(*bend.side).change) {
    case ir::EdgeKind::sloped: {
      const ExprPtr slope = name(context_.name_at("slope", where), given, names, body);
      const ExprPtr distance =
          name(context_.name_at("cells", where), convert(cells, compute), names, body);
      ghost = name(context_.name_at("risen", read.offset),
                   kernel::make(compute, kernel::Fma{slope, distance, edge}), names, body);
      break;
    }
    default:
      assert(false);
  }
  if (bend.outside) return convert(ghost, value->type);
  return kernel::make(value->type, kernel::Pick{bend.has, value, convert(ghost, value->type)});
}

ExprPtr EdgeTaps::flipped(const ir::Read& read, const Bend& bend, ExprPtr value, Names& names,
                          kernel::Body& body) {
  if (!bend.flips) return value;
  const Type compute = type_of(context_.stencil.fields[read.field].compute);
  value = name(name_of(read), value, names, body);
  ExprPtr negated = kernel::make(compute, kernel::Neg{convert(value, compute)});
  if (compute != value->type) negated = convert(name("negated", negated, names, body), value->type);
  return kernel::make(value->type, kernel::Pick{bend.flips, negated, value});
}

// What the first `axes` axes make of a value: the change of each, the first one last.
ExprPtr EdgeTaps::bent(const ir::Read& read, const Bends& bends, size_t axes, ExprPtr value,
                       Names& names, kernel::Body& body) {
  for (size_t a = axes; a-- > 0;)
    value = flipped(read, bends[a], changed(read, bends, a, value, names, body), names, body);
  return value;
}

// The value of a constant side, or of an expression with what its axis and those before make of it.
ExprPtr EdgeTaps::held(const ir::Read& read, const Bends& bends, size_t axis) {
  const ir::Field& field = context_.stencil.fields[read.field];
  const Bend& bend = bends[axis];
  const std::string wanted = context_.name_at("ghost", read.offset);
  if (const auto* literal = ir::as<ir::Constant>(bend.side->value);
      literal && bend.side->edge == ir::Edge::constant)
    return ghost_number(field, *literal);
  const auto value = [&] {
    ExprPtr computed = value_of(read, bends, axis, names_, body_);
    if (computed->type != type_of(field.type)) computed = name(wanted, computed, names_, body_);
    return convert(computed, type_of(field.type));
  };
  if (bend.side->edge == ir::Edge::expr) {
    // What is kept in memory is loaded where it is chosen.
    const bool kept = ir::as<ir::GhostRef>(bend.side->value);
    const ExprPtr plain = kept ? value() : name(wanted, value(), names_, body_);
    const ExprPtr signed_value = flipped(read, bend, plain, names_, body_);
    const ExprPtr result = bent(read, bends, axis, signed_value, names_, body_);
    return kept && result == plain ? result : name(wanted, result, names_, body_);
  }
  ExprPtr& known = constants_[{context_.numbering().id(bend.side->value), field.type}];
  return known ? known : known = name("ghost", value(), names_, body_);
}

// What a read is where a constant or an expression holds: of several the first constant, otherwise
// the first expression, with what the axes before it make of it. Behind one that surely holds no
// other is asked for.
ExprPtr EdgeTaps::stopped(const ir::Read& read, const Bends& bends) {
  struct Stop {
    ExprPtr has, value;
    int number;  // of the value of a constant
  };
  std::vector<Stop> stops;
  const std::string wanted = context_.name_at("ghost", read.offset);
  const auto surely = [&] { return !stops.empty() && !stops.back().has; };
  for (const ir::Edge edge : {ir::Edge::constant, ir::Edge::expr})
    for (size_t a = 0; a < bends.size() && !surely(); ++a) {
      const ir::Side* side = bends[a].side;
      if (!side || side->edge != edge) continue;
      // One value for all axes.
      const bool is_same = edge == ir::Edge::constant || ir::as<ir::GhostRef>(side->value);
      const int number = is_same ? context_.numbering().id(side->value) : -1;
      if (number >= 0 && !stops.empty() && stops.back().number == number) {
        stops.back().has = bends[a].has ? kernel::both(stops.back().has, bends[a].has) : nullptr;
        continue;
      }
      stops.push_back({bends[a].has, held(read, bends, a), number});
    }
  ExprPtr value = stops.back().value;
  for (size_t s = stops.size() - 1; s-- > 0;)
    value =
        name(wanted, kernel::make(value->type, kernel::Pick{stops[s].has, value, stops[s].value}),
             names_, body_);
  return value;
}

ExprPtr ghost_value(const Context& context, const ir::Read& read, std::vector<ExprPtr> at, int axis,
                    int outside, const ExprPtr& source, Names& names, kernel::Body& body) {
  std::array<int, 3> where = {};
  where[axis] = outside;
  EdgeTaps taps(context, std::move(at), where, names, body,
                [&](const ir::Read&, const std::vector<ExprPtr>&, bool, Names&, kernel::Body&) {
                  return source;
                });
  return taps(read);
}

ExprPtr GhostCell::coordinate(const Context& context, Names& names, kernel::Body& body) const {
  const ExprPtr extent = context.box.extent(axis);
  return lower::declare("ghost_" + context.axes[axis],
                        end == 0 ? kernel::index(-distance) : kernel::add(extent, distance - 1),
                        names, body);
}

ExprPtr EdgeTaps::operator()(const ir::Read& read) {
  const ir::Field& field = context_.stencil.fields[read.field];
  field_ = read.field;
  Bends bends;
  ExprPtr inside;
  int tests = 0;
  bool outside = false;
  for (int a = 0; a < context_.rank(); ++a) {
    bends.push_back(bend(field.boundary, a, field.along[a] ? read.offset[a] : 0));
    const Bend& bend = bends.back();
    if (!bend.side || ir::kind_of(*bend.side).by_distance()) continue;
    outside |= bend.outside;
    inside = kernel::both(inside, bend.has);
    ++tests;
  }
  if (outside) return stopped(read, bends);
  if (!inside)
    return bent(read, bends, bends.size(), load(read, bends, names_, body_), names_, body_);
  // three tests and what they guard do not fit a line
  if (tests == 3) inside = name(context_.name_at("has", read.offset), inside, names_, body_);
  const ExprPtr ghost = stopped(read, bends);
  // Nothing may be read outside the grid, so all that leads to the value stands after the test.
  kernel::If guarded{inside, {}, {}};
  Names inner = names_;
  const std::string wanted = name_of(read);
  const std::string result = inner.claim(wanted);
  const ExprPtr value =
      bent(read, bends, bends.size(), load(read, bends, inner, guarded.yes), inner, guarded.yes);
  if (guarded.yes.empty()) {
    ExprPtr selected = value;
    if (const auto* load = kernel::as<kernel::Load>(value); load && has_product(load->at)) {
      const ExprPtr place = name(context_.name_at("i", read.offset), load->at, names_, body_);
      selected = kernel::load(load->buffer, place);
    }
    return kernel::make(value->type, kernel::Pick{inside, selected, ghost});
  }
  names_.claim(wanted);
  body_.push_back({kernel::Let{result, ghost, true}});
  guarded.yes.push_back({kernel::Assign{result, value}});
  body_.push_back({std::move(guarded)});
  return kernel::var(result, value->type);
}

}  // namespace stencilc::lower
