// Infers from the reads of a stencil how far they go, which boundaries they reach, and which cells
// and levels are needed.
#include <algorithm>
#include <cstdlib>

#include "ir/boundary.h"
#include "ir/ir.h"

namespace stencilc::ir {
namespace {

// Whether a read at this offset can leave the grid at this end. If the other end maps it back, it
// can on a line that is short enough.
bool leaves(int offset, const std::array<Side, 2>& sides, int end) {
  return offset != 0 && ((offset > 0) == (end == 1) || kind_of(sides[1 - end]).mirrors());
}

// Increases low and high until all reads of `exprs` across sides without values stay inside.
void shrink(const Stencil& stencil, const std::vector<ExprPtr>& exprs, Domain& domain) {
  domain.low = domain.high = {};
  for (const ExprPtr& node : nodes_of(exprs)) {
    const auto* read = as<Read>(node);
    if (!read) continue;
    const Field& field = stencil.fields[read->field];
    const auto closed = [&](int axis, int end) {
      return kind_of(field.boundary.sides[axis][end]).closed();
    };
    // Cells of an output that this step did not write cannot be read.
    Offset low = {}, high = {};
    if ((field.role == Role::output && read->level == 1) || field.setup)
      if (const Update* made = stencil.maker_of(read->field)) {
        low = made->cases[0].domain.low;
        high = made->cases[0].domain.high;
      }
    for (int a = 0; a < stencil.rank(); ++a) {
      if (!field.along[a]) continue;
      const bool partial = low[a] != 0 || high[a] != 0;  // no boundary maps back to written cells
      if (closed(a, 0) || partial)
        domain.low[a] = std::max(domain.low[a], low[a] - read->offset[a]);
      if (closed(a, 1) || partial)
        domain.high[a] = std::max(domain.high[a], high[a] + read->offset[a]);
    }
  }
}

}  // namespace

Reach reach(const std::vector<ExprPtr>& roots) {
  Reach result;
  for (const ExprPtr& node : nodes_of(roots))
    if (const auto* read = as<Read>(node))
      for (int a = 0; a < kMaxRank; ++a) {
        result.low[a] = std::max(result.low[a], -read->offset[a]);
        result.high[a] = std::max(result.high[a], read->offset[a]);
      }
  return result;
}

Reach reach(const Stencil& stencil) { return reach(nodes_of(stencil)); }

std::vector<Offset> ghost_halos(const Stencil& stencil) {
  std::vector<Offset> halos(stencil.fields.size());
  std::vector<bool> open(stencil.fields.size());  // whose reads tell it
  for (size_t f = 0; f < halos.size(); ++f) {
    const Field& field = stencil.fields[f];
    if (field.halo) halos[f] = *field.halo;
    open[f] = !field.halo && field.boundary.has(Edge::ghost);
  }
  if (std::ranges::find(open, true) == open.end()) return halos;
  for (const ExprPtr& node : nodes_of(stencil)) {
    const auto* read = as<Read>(node);
    if (!read || !open[read->field]) continue;
    const auto& sides = stencil.fields[read->field].boundary.sides;
    for (int a = 0; a < kMaxRank; ++a)
      if (sides[a][0].edge == Edge::ghost || sides[a][1].edge == Edge::ghost)
        halos[read->field][a] = std::max(halos[read->field][a], std::abs(read->offset[a]));
  }
  return halos;
}

Offset ghost_halo(const Stencil& stencil, int field) {
  if (stencil.fields[field].halo) return *stencil.fields[field].halo;
  if (!stencil.fields[field].boundary.has(Edge::ghost)) return {};
  return ghost_halos(stencil)[field];
}

void drop_unmet_sides(Stencil& stencil) {
  std::vector<std::array<std::array<bool, 2>, kMaxRank>> met(stencil.fields.size());
  // `beside`: how far outside the grid cells are computed.
  const auto meet = [&](const std::vector<ExprPtr>& nodes, const Offset& beside) {
    for (const ExprPtr& node : nodes)
      if (const auto* read = as<Read>(node))
        for (int a = 0; a < kMaxRank; ++a)
          for (int end = 0; end < 2; ++end)
            for (const int shift : {-beside[a], beside[a]})
              met[read->field][a][end] |= leaves(
                  read->offset[a] + shift, stencil.fields[read->field].boundary.sides[a], end);
  };
  meet(nodes_of(stencil), {});  // the value of a side does not read cells
  for (const Update& update : stencil.updates)
    if (const Offset& ghosts = stencil.fields[update.field].ghosts; ghosts != Offset{})
      for (const Case& one : update.cases) meet(nodes_of({one.value}), ghosts);
  for (size_t f = 0; f < stencil.fields.size(); ++f)
    for (int a = 0; a < kMaxRank; ++a) {
      auto& sides = stencil.fields[f].boundary.sides[a];
      for (int end = 0; end < 2; ++end) {
        const Side& other = sides[1 - end];
        if (met[f][a][end] || sides[end].edge == Edge::none || sides[end].edge == Edge::ghost)
          continue;
        if (!met[f][a][1 - end])
          sides[end] = {.edge = Edge::fixed};
        else if (other.edge != Edge::ghost)
          sides[end] = other;
      }
    }
}

void infer_levels(Stencil& stencil) {
  for (Field& field : stencil.fields) field.oldest_level = 0;
  for (const ExprPtr& node : nodes_of(stencil))
    if (const auto* read = as<Read>(node)) {
      Field& field = stencil.fields[read->field];
      field.oldest_level = std::max(field.oldest_level, -read->level);
    }
  for (Reduction& one : stencil.reductions) {
    one.after = false;
    for (const ExprPtr& node : nodes_of({one.value, one.domain.mask}))
      if (const auto* read = as<Read>(node)) one.after |= read->level == 1;
  }
}

Domain domain_of(const Stencil& stencil, const std::vector<ExprPtr>& exprs) {
  Domain domain;
  shrink(stencil, exprs, domain);
  return domain;
}

void infer_domains(Stencil& stencil) {
  for (Update& update : stencil.updates)
    for (Case& one : update.cases) shrink(stencil, {one.value, one.domain.mask}, one.domain);
  for (Reduction& one : stencil.reductions)
    shrink(stencil, {one.value, one.domain.mask}, one.domain);
}

}  // namespace stencilc::ir
