#include "lower/tile/register_tile.h"

#include <algorithm>
#include <tuple>

#include "lower/cell/addressing.h"

namespace stencilc::lower {

namespace {

int floor_div(int a, int b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

void widen(Span& span, int value) {
  span = {std::min(span.low, value), std::max(span.high, value)};
}

// A read as a register tile sees it.
struct Seen {
  ir::Offset offset;
  int x = 0, y = 0, along = 0;
};
Seen seen(const ir::Offset& offset, const Patch& patch) {
  Seen seen{offset};
  seen.x = std::exchange(seen.offset[0], 0);
  if (patch.rows > 1) seen.y = std::exchange(seen.offset[1], 0);
  if (patch.axis >= 0) seen.along = std::exchange(seen.offset[patch.axis], 0);
  return seen;
}

// The vectors of a row that cells 0 .. width-1 touch by an offset along x.
Span vectors_of(int x, const Patch& patch) {
  const Span span = {floor_div(x, patch.width), floor_div(x + patch.width - 1, patch.width)};
  if (!patch.lanes) return span;
  return {std::clamp(span.low, -1, 1), std::clamp(span.high, -1, 1)};
}

// Vector 0 of a row, in all planes of which the vectors beside it are read.
void add_own(RegisterTile& regs) {
  std::map<int, Span> rows;
  for (const auto& [key, span] : regs.vectors) {
    Span& row = rows.try_emplace(key.first, span).first->second;
    row = {std::min(row.low, span.low), std::max(row.high, span.high)};
  }
  for (const auto& [row, span] : rows) regs.vectors[{row, 0}] = span;
}

// Are all cells that the read touches loaded?
bool holds(const RegisterTile& regs, const Seen& at, const Patch& patch) {
  if (at.x < regs.cells.low || at.x > regs.cells.high) return false;
  const Span vectors = vectors_of(at.x, patch);
  for (int row = at.y; row < at.y + patch.rows; ++row)
    for (int vector = vectors.low; vector <= vectors.high; ++vector) {
      const auto found = regs.vectors.find({row, vector});
      if (found == regs.vectors.end() || at.along < found->second.low ||
          at.along > found->second.high)
        return false;
    }
  return true;
}

// Does the vector go on with a run of the same row? The sides of a vector come together.
bool continues(const RegisterTile& regs, const Run& run, int row, int vector) {
  if (run.row != row) return false;
  return run.vector + run.count == vector || (regs.lanes && run.vector == -1 && vector == 1);
}

// The vectors of a plane that satisfy a condition, in as few runs as rows and neighbours allow.
template <class Holds>
void add_runs(const RegisterTile& regs, int along, const Holds& holds, std::vector<Run>& runs) {
  std::vector<Run> rows;
  for (const auto& [key, span] : regs.vectors) {
    if (!holds(span)) continue;
    const auto [row, vector] = key;
    if (rows.empty() || !continues(regs, rows.back(), row, vector))
      rows.push_back({along, row, 1, vector, 1, !regs.lanes});
    rows.back().count = vector + 1 - rows.back().vector;
    rows.back().own |= vector == 0;
  }
  const size_t first = runs.size();
  for (const Run& row : rows) {
    const auto same =
        std::find_if(runs.begin() + static_cast<long>(first), runs.end(), [&](const Run& run) {
          return run.row + run.rows == row.row && run.vector == row.vector &&
                 run.count == row.count && run.own == row.own;
        });
    if (same != runs.end())
      ++same->rows;
    else
      runs.push_back(row);
  }
}

// Names and sizes of a register tile's registers.
void place_planes(const Context& context, const Patch& patch, RegisterTile& regs, Names& names) {
  const kernel::Buffer& memory = buffer_of(context, ir::Read{regs.field, regs.level, {}});
  for (int along = regs.low; along <= regs.high; ++along) {
    ir::Offset offset = regs.offset;
    if (patch.axis >= 0) offset[patch.axis] = along;
    Span rows{1, 0}, vectors{1, 0};
    for (const auto& [key, span] : regs.vectors) {
      if (along < span.low || along > span.high) continue;
      const auto [row, vector] = key;
      rows = rows.low > rows.high ? Span{row, row} : rows;
      vectors = vectors.low > vectors.high ? Span{vector, vector} : vectors;
      widen(rows, row);
      widen(vectors, vector);
    }
    if (rows.low > rows.high) rows = vectors = {0, 0};  // a plane that only passes
    RegisterTile::Plane plane;
    plane.row = rows.low;
    const Run all = {along, 0, 1, vectors.low, vectors.high - vectors.low + 1};
    const Span cells = cells_of(regs, all, patch);
    plane.cell = cells.low;
    plane.registers.name =
        names.claim(context.name_at(memory.name, offset) + (offset == ir::Offset{} ? "_0" : ""));
    plane.registers.element = memory.element;
    plane.registers.writable = true;
    plane.own = patch.lanes ? kernel::Count(-cells.low) : kernel::times(-vectors.low, patch.width);
    plane.registers.registers =
        patch.lanes ? kernel::plus(patch.width, cells.high - cells.low - patch.width)
                    : kernel::times(all.count, patch.width);
    const int count = rows.high - rows.low + 1;  // fewer than of the patch where rows only pass
    plane.registers.rows = count < patch.rows ? kernel::Count(count)
                                              : kernel::plus(patch.rows, count - patch.rows);
    regs.planes.push_back(plane);
  }
}

}  // namespace

std::vector<RegisterTile> register_tiles_of(const Context& context,
                                            const std::vector<ir::ExprPtr>& values,
                                            const Patch& patch, Names& names,
                                            const std::function<bool(const ir::Read& read)>& of) {
  std::map<std::tuple<int, int, ir::Offset>, RegisterTile> tiles;
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || !ir::has_all_axes(context.stencil, context.stencil.fields[read->field]) ||
        !in_memory(context, *read) || (of && !of(*read)))
      continue;
    const Seen at = seen(read->offset, patch);
    const auto [place, fresh] = tiles.try_emplace({read->field, read->level, at.offset});
    RegisterTile& regs = place->second;
    if (fresh) {
      regs.field = read->field;
      regs.level = read->level;
      regs.offset = at.offset;
      regs.low = regs.high = at.along;
      regs.cells = {at.x, at.x};
      regs.rows = {at.y, at.y};
      regs.lanes = patch.lanes;
    }
    regs.low = std::min(regs.low, at.along);
    regs.high = std::max(regs.high, at.along);
    widen(regs.cells, at.x);
    widen(regs.rows, at.y);
    const Span vectors = vectors_of(at.x, patch);
    for (int row = at.y; row < at.y + patch.rows; ++row)
      for (int vector = vectors.low; vector <= vectors.high; ++vector)
        widen(regs.vectors.try_emplace({row, vector}, Span{at.along, at.along}).first->second,
              at.along);
  }
  std::vector<RegisterTile> result;
  for (auto& [key, regs] : tiles) {
    if (patch.lanes) add_own(regs);
    place_planes(context, patch, regs, names);
    result.push_back(std::move(regs));
  }
  return result;
}

Span cells_of(const RegisterTile& regs, const Run& run, const Patch& patch) {
  const int end = run.vector + run.count;
  if (!patch.lanes) return {run.vector * patch.width, end * patch.width};
  return {run.vector < 0 ? std::min(regs.cells.low, 0) : run.vector * patch.width,
          end > 1 ? patch.width + std::max(regs.cells.high, 0) : end * patch.width};
}

kernel::Count place_of(const RegisterTile::Plane& plane, int vector, const Patch& patch) {
  if (patch.lanes) return kernel::plus(kernel::times(vector, patch.width), plane.own);
  return kernel::times(vector - plane.cell / patch.width, patch.width);
}

kernel::Count first_of(const Run& run, const Patch& patch) {
  return run.row < patch.rows ? kernel::Count(run.row)
                              : kernel::plus(patch.rows, run.row - patch.rows);
}

kernel::Count end_of(const Run& run, const Patch& patch) {
  const int end = run.row + run.rows;
  return run.rows < patch.rows ? kernel::Count(end) : kernel::plus(patch.rows, end - patch.rows);
}

std::vector<Run> runs_before(const RegisterTile& regs) {
  std::vector<Run> runs;
  for (int along = regs.low; along < regs.high; ++along)
    add_runs(
        regs, along, [&](const Span& span) { return span.low <= along && along < span.high; },
        runs);
  return runs;
}

std::vector<Run> runs_at_each(const RegisterTile& regs) {
  std::vector<Run> runs;
  for (int along = regs.low; along <= regs.high; ++along)
    add_runs(
        regs, along, [&](const Span& span) { return span.high == along; }, runs);
  return runs;
}

std::vector<Run> runs_carried(const RegisterTile& regs) {
  std::vector<Run> runs;
  for (int along = regs.low; along <= regs.high; ++along)
    add_runs(
        regs, along, [&](const Span& span) { return span.low < along && span.high == along; },
        runs);
  return runs;
}

std::vector<Run> runs_read_once(const RegisterTile& regs) {
  std::vector<Run> runs;
  for (int along = regs.low; along <= regs.high; ++along)
    add_runs(
        regs, along, [&](const Span& span) { return span.low == along && span.high == along; },
        runs);
  return runs;
}

std::vector<Run> runs_moved(const RegisterTile& regs) {
  std::vector<Run> runs;
  for (int along = regs.low + 1; along <= regs.high; ++along)
    add_runs(
        regs, along, [&](const Span& span) { return span.low < along && along <= span.high; },
        runs);
  return runs;
}

kernel::ExprPtr register_value(const std::vector<RegisterTile>& tiles, const ir::Read& read,
                               const Patch& patch, const kernel::ExprPtr& r,
                               const kernel::ExprPtr& v) {
  const Seen at = seen(read.offset, patch);
  for (const RegisterTile& regs : tiles) {
    if (regs.field != read.field || regs.level != read.level || regs.offset != at.offset) continue;
    if (!holds(regs, at, patch)) return nullptr;
    const RegisterTile::Plane& plane = regs.plane(at.along);
    return kernel::make(
        plane.registers.element,
        kernel::Load{plane.registers, kernel::add(kernel::add(v, kernel::index(plane.own)), at.x),
                     plane.registers.rows > 1 ? kernel::add(r, at.y - plane.row) : nullptr});
  }
  return nullptr;
}

}  // namespace stencilc::lower
