#include "lower/tile/vector_row.h"

#include <map>
#include <string>

#include "lower/boundary/edge_cell.h"
#include "lower/boundary/edge_flag.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/cell/interior_cell.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

Body lower_row(const Context& context, const Row& row, const Fill& fill, Names names) {
  Body body;
  For loop = unrolled(names.claim("v"), 0, row.width);
  const ExprPtr v = kernel::var(loop.name);
  std::vector<ExprPtr> here = row.at;
  here[0] = kernel::add(row.at[0], v);
  const ExprPtr i_v = kernel::add(row.i, v);
  const ExprPtr end = context.box.end(0);
  const Cell::Tap tap = [&](const ir::Read& read) { return row.in_registers(read, v); };
  CellContext known{row.flags, "", nullptr, {}};
  for (const Row::Made& one : row.made)
    known.at_hand[context.numbering().id(one.expr)] =
        kernel::make(one.registers.element, kernel::Load{one.registers, v, one.row});
  std::vector<kernel::Copy> stores;
  std::map<int, std::string> outs;
  for (const plan::Stored& stored : context.launch.stores) {
    const int field = context.stencil.updates[stored.update].field;
    outs[field] = names.claim(context.stencil.fields[field].name + "_out");
  }
  const auto sink = [&](int field, const ExprPtr& value, bool always) {
    const kernel::Buffer& target = context.targets[field];
    if (!always) return kernel::Stmt{kernel::Store{target, i_v, value, nullptr}};
    kernel::Buffer next = target;
    next.name = outs[field];
    next.registers = row.width;
    body.push_back({kernel::Array{next}});
    stores.push_back({target, row.i, next, kernel::index(0), row.width, 1, nullptr, nullptr});
    return kernel::Stmt{kernel::Store{next, v, value, nullptr}};
  };
  Names inner = names;
  any_cell(context, row.edges, {here, i_v, in_box(context, 0, here[0])}, tap, sink, inner,
           loop.body, known);
  body.push_back({std::move(loop)});
  for (const kernel::Copy& store : stores) {
    if (!row.edges)
      body.push_back({store});
    else
      body.push_back(
          {kernel::StoreRow{store, fill.inside(row.at, 0, 1),
                            kernel::bin(BinOp::sub, end, row.at[0]), edge_flag(row.flags)}});
  }
  return body;
}

}  // namespace stencilc::lower
