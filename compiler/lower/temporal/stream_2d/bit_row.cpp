#include "lower/temporal/stream_2d/bit_row.h"

#include <algorithm>

#include "ir/boundary.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::Type;

namespace {

ExprPtr word(bool set) { return kernel::make(Type::bits, kernel::Int{set ? 1 : 0}); }
ExprPtr inverted(const ExprPtr& value) { return kernel::make(Type::bits, kernel::Not{value}); }

bool is_constant(const ir::Field& field, int axis) {
  const auto& sides = field.boundary.sides[axis];
  return ir::number_of(sides[0]) || ir::number_of(sides[1]);
}

// The bits of ghost cells, where a number is given for them: the same on all sides.
int64_t ghost_bits(const ir::Field& field) {
  for (const auto& sides : field.boundary.sides)
    for (const ir::Side& side : sides)
      if (const ir::Constant* number = ir::number_of(side)) return number->value.integer;
  return 0;
}

}  // namespace

BitRow::BitRow(const Context& context, const plan::Schedule& schedule,
               const plan::Temporal& temporal)
    : RowSteps(context, schedule, temporal) {
  if (temporal.bits()) bits_ = ir::bits_of(context.stencil);
}

void BitRow::declare_bits(Body& body) {
  Names& names = context_.names;
  for (const Stepped& one : tile_.rows.fields) {
    Held held;
    held.field = one.field;
    held.low = temporal_.lag;
    for (const ir::Gate& gate : bits_.gates)
      if (gate.op == ir::Gate::read && gate.field == one.field)
        held.low = std::min(held.low, gate.row);
    const std::string& name = context_.levels[one.field][0].name;
    held.arrived.element = Type::bits;
    held.arrived.writable = true;
    held.arrived.registers = bits_.count[one.field];
    const auto named = [&](const std::string& wanted) {
      kernel::Buffer buffer = held.arrived;
      buffer.name = names.claim(wanted);
      return buffer;
    };
    for (int row = held.low; row < temporal_.lag; ++row) {
      ir::Offset offset = {};
      offset[1] = row;
      held.rows.push_back(named(context_.name_at(name, offset) + "_bits"));
      held.rows.back().rows = temporal_.steps;
      body.push_back({kernel::Array{held.rows.back(), true}});
    }
    held.arrived = named(name + "_bits");
    held_.push_back(std::move(held));
  }
  const bool ends = std::any_of(held_.begin(), held_.end(), [&](const Held& held) {
    return is_constant(context_.stencil.fields[held.field], 0);
  });
  if (ends)
    in_row_ = declare("in_row",
                      kernel::call(Type::bits, kernel::Fn::cells_in, {tile_.layout.x, extent(0)}),
                      names, body);
}

Body BitRow::row_of_bits(bool edges) {
  edges_ = edges;
  Names names = context_.names;
  Body body;
  for (const Held& held : held_) {
    const Stepped& one = tile_.rows.stepped(held.field);
    body.push_back({kernel::Array{one.row}});
    body.push_back(
        {kernel::Copy{one.row, index(0), one.ahead, tile_.layout.own(), tile_.layout.vector(), 1,
                      nullptr, tile_.rows.ahead_row(tile_.rows.ring.current())}});
    body.push_back({kernel::Array{held.arrived}});
    body.push_back({kernel::Transpose{one.row, held.arrived}});
    std::vector<ExprPtr> values;
    for (int n = 0; n < held.arrived.registers; ++n)
      values.push_back(kernel::make(Type::bits, kernel::Load{held.arrived, index(n), nullptr}));
    const std::vector<ExprPtr> before = values;
    set_outside(held, n_, values, names, body);
    for (int n = 0; n < held.arrived.registers; ++n)
      if (values[n] != before[n])
        body.push_back({kernel::Store{held.arrived, index(n), values[n], nullptr}});
  }
  For loop{For::unrolled, names.claim("k"), Type::index, index(0), steps_, {}, nullptr, nullptr};
  loop.body = step(kernel::var(loop.name), names);
  body.push_back({std::move(loop)});
  for (const Held& held : held_)
    body.push_back({kernel::Transpose{tile_.rows.stepped(held.field).row, held.arrived, true}});
  append(body, store(edges, names));
  return body;
}

Body BitRow::step(const ExprPtr& k, Names names) {
  Body body;
  const auto held_of = [&](int field) -> const Held& {
    return *std::find_if(held_.begin(), held_.end(),
                         [&](const Held& held) { return held.field == field; });
  };
  std::vector<ExprPtr> gates;
  const auto value_of = [&](const ir::Gate& gate) -> ExprPtr {
    const auto arg = [&](int n) { return gates[gate.args[n]]; };
    const auto call = [&](kernel::Fn function, std::vector<ExprPtr> args) {
      return kernel::call(Type::bits, function, std::move(args));
    };
    switch (gate.op) {
      case ir::Gate::zero:
      case ir::Gate::one:
        return word(gate.op == ir::Gate::one);
      case ir::Gate::read: {
        const Held& held = held_of(gate.field);
        const bool arrives = gate.row == temporal_.lag;
        return kernel::make(Type::bits,
                            kernel::Load{arrives ? held.arrived : held.rows[gate.row - held.low],
                                         index(gate.bit), arrives ? nullptr : k});
      }
      case ir::Gate::beside:
        return call(kernel::Fn::moved, {arg(0), index(gate.distance)});
      case ir::Gate::not_:
        return inverted(arg(0));
      case ir::Gate::and_:
        return kernel::bin(kernel::BinOp::and_, arg(0), arg(1));
      case ir::Gate::or_:
        return kernel::bin(kernel::BinOp::or_, arg(0), arg(1));
      case ir::Gate::xor_:
        return kernel::bin(kernel::BinOp::xor_, arg(0), arg(1));
      case ir::Gate::majority:
        return call(kernel::Fn::majority, {arg(0), arg(1), arg(2)});
      case ir::Gate::pick:
        return call(kernel::Fn::choose, {arg(0), arg(1), arg(2)});
    }
    return nullptr;
  };
  for (const ir::Gate& gate : bits_.gates) {
    const ExprPtr value = value_of(gate);
    const bool inlined = gate.op <= ir::Gate::read || gate.op == ir::Gate::not_;
    gates.push_back(inlined ? value : declare("part", value, names, body));
  }
  const ExprPtr back = kernel::mul(kernel::add(k, 1), index(temporal_.lag));
  const ExprPtr y = kernel::bin(kernel::BinOp::sub, n_, back);
  std::vector<std::vector<ExprPtr>> made;
  for (const Held& held : held_) {
    std::vector<ExprPtr> values;
    for (const int gate : bits_.results[held.field]) values.push_back(gates[gate]);
    set_outside(held, y, values, names, body);
    // A row that is read may be what goes on.
    for (ExprPtr& value : values)
      if (!kernel::as<kernel::Var>(value)) value = declare("made", value, names, body);
    made.push_back(std::move(values));
  }
  for (size_t f = 0; f < held_.size(); ++f) {
    const Held& held = held_[f];
    const int count = held.arrived.registers;
    for (size_t n = 0; n < held.rows.size(); ++n) {
      const bool last = n + 1 == held.rows.size();
      body.push_back({kernel::Copy{held.rows[n], index(0), last ? held.arrived : held.rows[n + 1],
                                   index(0), count, 1, k, last ? nullptr : k}});
    }
    for (int n = 0; n < count; ++n)
      body.push_back({kernel::Store{held.arrived, index(n), made[f][n], nullptr}});
  }
  return body;
}

void BitRow::set_outside(const Held& held, const ExprPtr& y, std::vector<ExprPtr>& values,
                         Names& names, Body& body) const {
  const ir::Field& field = context_.stencil.fields[held.field];
  if (!edges_ || (!is_constant(field, 0) && !is_constant(field, 1))) return;
  ExprPtr inside = is_constant(field, 0) ? in_row_ : word(true);
  if (is_constant(field, 1))
    inside =
        declare("in_grid", kernel::pick(tile_.layout.in_rows(y), inside, word(false)), names, body);
  if (const ExprPtr flag = edge()) inside = kernel::pick(flag, inside, word(true));
  inside = declare("inside", inside, names, body);
  for (size_t n = 0; n < values.size(); ++n)
    values[n] = ghost_bits(field) >> n & 1
                    ? kernel::bin(kernel::BinOp::or_, values[n], inverted(inside))
                    : kernel::bin(kernel::BinOp::and_, values[n], inside);
}

}  // namespace stencilc::lower
