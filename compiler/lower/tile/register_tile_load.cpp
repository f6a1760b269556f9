#include "lower/tile/register_tile_load.h"

#include <algorithm>
#include <array>
#include <utility>

#include "lower/boundary/edge_flag.h"
#include "lower/boundary/ghost_cell.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/cell/addressing.h"
#include "lower/context/build.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

ir::Reach margin_of(const Context& context, const Patch& patch, const ir::Reach& around) {
  ir::Reach margin = context.launch.margin;
  const auto whole = [&](int n) { return (n + patch.width - 1) / patch.width * patch.width; };
  Names names;
  for (const RegisterTile& regs :
       register_tiles_of(context, values_of(context, false), patch, names)) {
    margin.low[0] = std::max(margin.low[0], -regs.cells.low);
    margin.high[0] = std::max(margin.high[0], regs.cells.high);
  }
  for (int a = 0; a < context.rank(); ++a) {
    margin.low[a] = std::max(margin.low[a], around.low[a]);
    margin.high[a] = std::max(margin.high[a], around.high[a]);
  }
  margin.low[0] = whole(margin.low[0]);
  margin.high[0] = whole(margin.high[0]);
  return margin;
}

ExprPtr row_start(const Context& context, const Patch& patch, const ExprPtr& i, const ExprPtr& r) {
  return patch.rows > 1 ? kernel::add(i, kernel::mul(r, kernel::var(context.pitch))) : i;
}

ExprPtr row_in(const RegisterTile::Plane& plane, const ExprPtr& r) {
  return plane.registers.rows > 1 ? kernel::add(r, -plane.row) : nullptr;
}

ExprPtr by_vectors(const ExprPtr& at, int vectors, const Patch& patch) {
  const ExprPtr cells = kernel::index(kernel::times(std::abs(vectors), patch.width));
  if (vectors >= 0) return kernel::add(at, cells);
  const auto* number = kernel::as<kernel::Int>(cells);
  return number->name.empty() ? kernel::add(at, -number->value)
                              : kernel::bin(BinOp::sub, at, cells);
}

void move_planes(const std::vector<RegisterTile>& tiles, const Patch& patch, const Names& names,
                 Body& body) {
  for (const RegisterTile& regs : tiles)
    for (const Run& run : runs_moved(regs)) {
      const RegisterTile::Plane &from = regs.plane(run.along), &to = regs.plane(run.along - 1);
      For loop = unrolled(run.rows > 1 ? Names(names).claim("r") : "", run.row, end_of(run, patch));
      const ExprPtr r = run.rows > 1 ? kernel::var(loop.name) : kernel::index(first_of(run, patch));
      const Span cells = cells_of(regs, run, patch);
      Body& one = run.rows > 1 ? loop.body : body;
      const auto place = [&](const RegisterTile::Plane& plane) {
        return kernel::index(patch.lanes ? kernel::Count(cells.low - plane.cell)
                                         : place_of(plane, run.vector, patch));
      };
      const kernel::Count width = patch.lanes ? kernel::Count(cells.high - cells.low)
                                              : kernel::times(run.count, patch.width);
      one.push_back({kernel::Copy{to.registers, place(to), from.registers, place(from), width, 1,
                                  row_in(to, r), row_in(from, r)}});
      if (run.rows > 1) body.push_back({std::move(loop)});
    }
}

bool is_own(const Run& run) { return run.vector == 0 && run.count == 1; }

// Is each vector of the run loaded as such where it lies in the row, rather than all of them?
bool Fill::asks_each(const Run& run) const { return !patch_.lanes && run.count > 1; }

ExprPtr Fill::inside(const std::vector<ExprPtr>& at, int vector, int count) const {
  if (const auto known = inside_.find({vector, count}); known != inside_.end())
    return known->second;
  const kernel::Count before = kernel::times(-vector, patch_.width),
                      end = kernel::times(vector + count, patch_.width);
  return kernel::both(kernel::var(context_.aligned, kernel::Type::boolean),
                      span_in_grid(context_, 0, before > 0 ? at[0] : nullptr, before,
                                   end > 0 ? kernel::add(at[0], kernel::index(end)) : nullptr));
}

void Fill::declare(const std::vector<RegisterTile>& tiles, const std::vector<ExprPtr>& at,
                   Names& names, Body& body) {
  if (!edges_) return;
  for (const RegisterTile& regs : tiles) {
    const std::pair key{regs.field, regs.level};
    if (rows_.count(key)) continue;
    if (by_rows_ && rows_map(context_, regs.field))
      rows_[key] = declare_rows(context_, regs.field, regs.level, flags_, names, body);
    else
      declare_cells(regs, names, body);
  }
  if (!one_x_) return;
  const auto text = [](int q) { return q < 0 ? "m" + std::to_string(-q) : std::to_string(q); };
  const auto name = [&](int vector, int count) {
    if (inside_.count({vector, count})) return;
    const std::string whole =
        "whole_" + text(vector) + (count > 1 ? "_to_" + text(vector + count - 1) : "");
    const ExprPtr value = lower::declare(whole, inside(at, vector, count), names, body);
    inside_[{vector, count}] = value;
  };
  name(0, 1);
  for (const RegisterTile& regs : tiles)
    for (const auto& runs : {runs_before(regs), runs_at_each(regs)})
      for (const Run& run : runs) {
        if (rows_.count({regs.field, regs.level})) continue;
        if (!patch_.lanes) {
          if (!asks_each(run)) name(run.vector, run.count);
        } else if (const Span cells = beside(regs, run); cells.high - cells.low > patch_.width &&
                                                         !beside_.count({cells.low, cells.high})) {
          const ExprPtr whole = has_sides(at, cells);
          beside_[{cells.low, cells.high}] = lower::declare("whole_sides", whole, names, body);
        }
      }
}

void Fill::declare_cells(const RegisterTile& regs, Names& names, Body& body) {
  if (cells_.count({regs.field, regs.level})) return;
  const kernel::Buffer& memory = buffer_of(context_, ir::Read{regs.field, regs.level, {}});
  kernel::Local local;
  local.name = names.claim(memory.name + "_at");
  Names inner = names;
  std::vector<ExprPtr> at;
  for (int a = 0; a < context_.rank(); ++a) {
    local.params.push_back(inner.claim("cell_" + context_.axes[a]));
    at.push_back(kernel::var(local.params.back()));
  }
  local.body = cell_anywhere(context_, regs.field, regs.level, at, inner);
  cells_[{regs.field, regs.level}] = local.name;
  body.push_back({kernel::Note{"A cell of " + context_.stencil.fields[regs.field].name +
                               "; outside the grid it is a ghost cell."}});
  body.push_back({std::move(local)});
}

Fill::There Fill::there(const RegisterTile& regs, const Run& run, const std::vector<ExprPtr>& at,
                        const ExprPtr& r, int axis, Ends ends) const {
  ir::Offset offset = regs.offset;
  if (patch_.axis > 0) offset[patch_.axis] = run.along;
  There there{{at[0]}, nullptr};
  for (int a = 1; a < context_.rank(); ++a) {
    const bool of_rows = a == 1 && patch_.rows > 1;
    const bool low = (of_rows ? run.row : offset[a]) < 0 || (a == axis && ends != Ends::high);
    const bool high =
        (of_rows ? run.rows + run.row : offset[a]) > 0 || (a == axis && ends != Ends::low);
    there.at.push_back(kernel::add(kernel::add(at[a], of_rows ? r : kernel::index(0)), offset[a]));
    const bool own = a != axis || ends != Ends::none;
    if (low && own)
      there.rows =
          kernel::both(there.rows, of_rows || a == axis
                                       ? before_end(context_, a, 0, there.at[a])
                                       : kernel::bin(BinOp::ge, at[a], kernel::index(-offset[a])));
    if (high && own)
      there.rows = kernel::both(there.rows, kernel::both(before_end(context_, a, 1, there.at[a]),
                                                         context_.box.reaches(a, there.at[a])));
  }
  return there;
}

void Fill::operator()(const RegisterTile& regs, const Run& run, const std::vector<ExprPtr>& at,
                      const ExprPtr& i, int axis, Ends ends, const Names& outer, Body& body) const {
  Names names = outer;
  For loop = unrolled(run.rows > 1 ? names.claim("r") : "", run.row, end_of(run, patch_));
  const ExprPtr r = run.rows > 1 ? kernel::var(loop.name) : kernel::index(first_of(run, patch_));
  Body& one = run.rows > 1 ? loop.body : body;
  const RegisterTile::Plane& plane = regs.plane(run.along);
  ir::Offset first = regs.offset;
  if (patch_.axis > 0) first[patch_.axis] = run.along;
  const Run own = patch_.lanes ? Run{run.along, run.row, run.rows, 0, 1} : run;
  const ExprPtr row_first = shifted(context_, row_start(context_, patch_, i, r), first);
  first[0] = own.vector * patch_.width;
  const kernel::Copy copy{plane.registers,
                          kernel::index(place_of(plane, own.vector, patch_)),
                          buffer_of(context_, ir::Read{regs.field, regs.level, first}),
                          by_vectors(row_first, own.vector, patch_),
                          patch_.width,
                          own.count,
                          row_in(plane, r),
                          nullptr};
  There place = there(regs, run, at, r, axis, ends);
  const auto rows = rows_.find({regs.field, regs.level});
  if (rows != rows_.end()) {
    kernel::FillRow fill{copy.to, copy.to_row, copy.to_at, copy.from, at[0]};
    fill.at.assign(place.at.begin() + 1, place.at.end());
    fill.row = rows->second.row;
    fill.cell = rows->second.cell;
    fill.whole = inside(at, 0, 1);
    fill.edge = is_own(run) ? edge_flag(flags_) : edge_x_flag(flags_);
    if (asks_each(run)) fill.extent = context_.box.extent(0);
    fill.width = patch_.width;
    fill.first = run.vector;
    fill.count = run.count;
    one.push_back({std::move(fill)});
  } else if (run.own && !edges_) {
    one.push_back({copy});
  } else if (run.own) {
    std::vector<ExprPtr> from = place.at;
    from[0] = by_vectors(at[0], own.vector, patch_);
    kernel::Fill fill{copy, nullptr, cells_.at({regs.field, regs.level}), from, nullptr, nullptr};
    if (asks_each(own)) {
      fill.whole = kernel::var(context_.aligned, kernel::Type::boolean);
      fill.extent = context_.box.extent(0);
    } else {
      fill.whole = inside(at, own.vector, own.count);
    }
    fill.whole = kernel::both(fill.whole, place.rows);
    fill.edge = is_own(own) ? edge_flag(flags_) : edge_x_flag(flags_);
    one.push_back({std::move(fill)});
  }
  if (patch_.lanes && (run.vector < 0 || run.vector + run.count > 1))
    one.push_back({sides(regs, run, copy, place)});
  if (run.rows > 1) body.push_back({std::move(loop)});
}

// The places of a run's cells beside vector 0, which `own` loads.
Span Fill::beside(const RegisterTile& regs, const Run& run) const {
  const Span cells = cells_of(regs, run, patch_);
  return {std::min(cells.low, 0), std::max(cells.high, patch_.width.value)};
}

ExprPtr Fill::has_sides(const std::vector<ExprPtr>& at, const Span& cells) const {
  const auto known = beside_.find({cells.low, cells.high});
  if (known != beside_.end()) return known->second;
  const ExprPtr end =
      kernel::add(kernel::add(at[0], kernel::index(patch_.width)), cells.high - patch_.width);
  return span_in_grid(context_, 0, cells.low < 0 ? at[0] : nullptr, -cells.low, end);
}

kernel::Sides Fill::sides(const RegisterTile& regs, const Run& run, const kernel::Copy& own,
                          const There& place) const {
  const Span cells = beside(regs, run);
  kernel::Sides sides;
  sides.to = own.to;
  sides.own = own.to_at;
  sides.row = own.to_row;
  sides.from = own.from;
  sides.from_at = own.from_at;
  sides.width = patch_.width;
  sides.left = -cells.low;
  sides.right = cells.high - patch_.width;
  if (!edges_) return sides;
  sides.edge = edge_flag(flags_);
  sides.whole = kernel::both(has_sides(place.at, cells), place.rows);
  sides.cell = cells_.at({regs.field, regs.level});
  sides.at = place.at;
  return sides;
}

}  // namespace stencilc::lower
