#include "interp/interpreter.h"

#include <cassert>
#include <functional>

#include "interp/cell.h"
#include "interp/points.h"

namespace stencilc::interp {
namespace {

using ir::Scalar;

void each_cell(const Extents& extents, const std::function<void(const Extents&)>& visit) {
  Extents cell;
  for (cell[2] = 0; cell[2] < extents[2]; ++cell[2])
    for (cell[1] = 0; cell[1] < extents[1]; ++cell[1])
      for (cell[0] = 0; cell[0] < extents[0]; ++cell[0]) visit(cell);
}

// The statements of one field, each for every cell of its domain.
void update(const View& view, const ir::Update& update, Grid& grid) {
  Cell cell(view);
  each_cell(view.state.extents, [&](const Extents& at) {
    for (const ir::Case& one : update.cases) {
      cell.move_to(at);  // again, because it reads what the cases before assigned to the cell
      if (cell.applies(one.domain))
        grid[place(view.stencil, view.state, update.field, at)] = cell.value(one.value);
    }
  });
}

int color_of(const ir::Colors& colors, const Extents& at) {
  int64_t sum = colors.shift;
  for (int a = 0; a < ir::kMaxRank; ++a) sum += colors.factor[a] * at[a];
  const int64_t count = colors.count();
  return static_cast<int>((sum % count + count) % count);
}

// All updates for the cells of each colour, which read the results of the colours before it.
void update_in_place(const ir::Stencil& stencil, State& state) {
  for (int color = 0; color < stencil.colors.count(); ++color) {
    std::vector<Grid> next;
    for (const auto& levels : state.fields) next.push_back(levels[0]);
    const View view{stencil, state, next};
    Cell cell(view);
    each_cell(state.extents, [&](const Extents& at) {
      if (color_of(stencil.colors, at) != color) return;
      for (const ir::Update& update : stencil.updates)
        for (const ir::Case& one : update.cases) {
          cell.move_to(at);
          if (cell.applies(one.domain))
            next[update.field][place(stencil, state, update.field, at)] = cell.value(one.value);
        }
    });
    for (const ir::Update& update : stencil.updates)
      state.fields[update.field][0] = next[update.field];
  }
}

// The reductions before, or after, the updates; the others keep their values.
std::vector<Scalar> reduce_all(const View& view, bool after) {
  std::vector<Scalar> results = view.state.reductions;
  for (size_t r = 0; r < view.stencil.reductions.size(); ++r) {
    const ir::Reduction& reduction = view.stencil.reductions[r];
    if (reduction.after != after) continue;
    std::vector<Scalar> values;
    Cell cell(view);
    each_cell(view.state.extents, [&](const Extents& at) {
      cell.move_to(at);
      values.push_back(cell.applies(reduction.domain) ? cell.value(reduction.value)
                                                      : identity(reduction));
    });
    results[r] = reduce(reduction, std::move(values), view.state.extents[0]);
  }
  return results;
}

void step(const ir::Stencil& stencil, State& state) {
  std::vector<Grid> next;
  for (const auto& levels : state.fields) next.push_back(levels[0]);
  sample(stencil, state, next, false);
  state.reductions = reduce_all({stencil, state, next}, false);
  if (stencil.colors.count() != 0) {
    update_in_place(stencil, state);
    for (size_t f = 0; f < next.size(); ++f) next[f] = state.fields[f][0];
  }
  const View view{stencil, state, next};
  if (stencil.colors.count() == 0)
    for (const ir::Update& one : stencil.updates) update(view, one, next[one.field]);
  inject(view, next);
  state.reductions = reduce_all(view, true);
  sample(stencil, state, next, true);
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    if (stencil.fields[f].role == ir::Role::input) continue;
    std::vector<Grid>& levels = state.fields[f];
    levels.insert(levels.begin(), std::move(next[f]));
    levels.pop_back();
  }
  ++state.time;
}

// The condition of `iterate until`, after a check.
bool is_done(const ir::Stencil& stencil, const State& state) {
  const std::vector<Grid> none;
  const View view{stencil, state, none};
  return Cell(view, {0, 0, 0}).value(stencil.iterate.until).integer != 0;
}

}  // namespace

State make_state(const ir::Stencil& stencil, Extents extents) {
  State state;
  state.extents = extents;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const ir::Field& field = stencil.fields[f];
    state.halos.push_back(ir::ghost_halo(stencil, static_cast<int>(f)));
    state.fields.emplace_back(
        field.role == ir::Role::stepped ? field.levels() : 1,
        Grid(cells(field, extents, state.halos[f]), ir::convert(Scalar{}, field.type)));
  }
  for (const ir::Param& param : stencil.params)
    state.params.push_back(param.has_default ? param.value : Scalar{param.type});
  for (const ir::Weights& weights : stencil.weights)
    state.weights.emplace_back(weights.count(), Scalar{weights.type});
  state.points.resize(stencil.points.size());
  state.series.resize(stencil.series.size());
  for (const ir::Reduction& reduction : stencil.reductions)
    state.reductions.push_back(identity(reduction));
  return state;
}

int64_t run(const ir::Stencil& stencil, State& state, int64_t steps) {
  const ir::Iterate& iterate = stencil.iterate;
  const bool looks = steps < 0 && iterate.until;
  if (steps < 0) steps = iterate.limit;
  for (int64_t taken = 0; taken < steps; ++taken) {
    if (looks && taken > 0 && taken % iterate.every == 0 && is_done(stencil, state)) return taken;
    step(stencil, state);
  }
  return steps;
}

}  // namespace stencilc::interp
