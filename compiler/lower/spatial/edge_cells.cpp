#include "lower/spatial/edge_cells.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/context/build.h"
#include "plan/analysis/reads.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

namespace {

constexpr int kPlaneAxes = 2;  // along which the first rows of blocks have cells

// How many cells a thread computes along x and y.
std::array<int, kPlaneAxes> cells_of_thread(const plan::Schedule& schedule) {
  return {schedule.vector, schedule.rows};
}

// How far threads read beyond the grid at most, in whole threads. Vectors are also loaded whole
// where the caller has cells beyond the grid, but perhaps not so many.
ir::Reach most_margin(const ir::Stencil& stencil, const plan::Launch& launch,
                      const plan::Schedule& schedule) {
  ir::Reach margin = launch.margin;
  const std::array<int, kPlaneAxes> cells = cells_of_thread(schedule);
  if (cells == std::array{1, 1}) return margin;
  const ir::Reach reach = plan::reads_of(stencil, launch).reach;
  const auto whole = [](int n, int of) { return (n + of - 1) / of * of; };
  for (size_t a = 0; a < cells.size(); ++a) {
    margin.low[a] = whole(std::max(margin.low[a], reach.low[a]), cells[a]);
    margin.high[a] = whole(std::max(margin.high[a], reach.high[a]), cells[a]);
  }
  return margin;
}

// The argument with the rows of blocks, or empty.
std::string argument_of(const Context& context, const plan::Schedule& schedule) {
  if (!schedule.edge_cells) return "";
  const auto found = context.edge_rows.find(edge_widths(context.stencil, context.launch, schedule));
  return found == context.edge_rows.end() ? "" : found->second;
}

class EdgeCells {
 public:
  EdgeCells(const Context& context, const plan::Schedule& schedule, const ir::Reach& margin,
            const EdgeCellBodies& bodies)
      : context_(context), schedule_(schedule), bodies_(bodies), margin_(margin) {
    counts_ = {context.count("width", schedule.vector), context.count("rows", schedule.rows)};
    if (several())
      threads_ = {context.count("threads_x", schedule.threads[0]),
                  context.count("threads_y", schedule.threads[1])};
  }

  Body run(kernel::Launch& launch) {
    Names& names = context_.names;
    Body body = context_.invariants.statements;
    launch.edge_rows = argument_of(context_, schedule_);
    std::ranges::copy(edge_widths(context_.stencil, context_.launch, schedule_), launch.beside);
    launch.kernel.params.push_back({launch.edge_rows, kernel::Type::index});
    const ExprPtr rows = kernel::var(launch.edge_rows);
    row_ = declare("row", kernel::place(kernel::Place::block, 1), names, body);
    mapping_ = map_threads(context_, schedule_, body, kernel::bin(BinOp::sub, row_, rows));
    const ExprPtr at_edge = kernel::bin(BinOp::lt, row_, rows);
    std::vector<ExprPtr> at = mapping_.thread;
    if (context_.rank() == 3 && schedule_.swizzle > 0)  // their order is that of the launch
      at[2] = declare("edge_z", kernel::pick(at_edge, unswizzled(2), at[2]), names, body);
    ExprPtr plane;
    if (context_.rank() == 3) plane = InteriorSplit(context_, margin_).has(2, at[2]);
    if (plane) {
      plane = declare("interior_" + context_.axes[2], plane, names, body);
      at_edge_ = at_edge;
    }
    body.push_back({kernel::Note{"The first rows of blocks compute cells near the ends of " +
                                 context_.axes[0] + " and " + context_.axes[1] +
                                 ", which the others leave out."}});
    const ExprPtr others = kernel::bin(BinOp::ge, row_, rows);
    kernel::If split{kernel::both(others, plane), inside(at), {}};
    split.no.push_back({kernel::Note{edge_note(context_, "Edge cells")}});
    kernel::If known{plane ? kernel::bin(BinOp::or_, others, plane) : nullptr, {}, {}};
    append(known.condition ? known.yes : split.no, edge_cells(at));
    if (known.condition) split.no.push_back({std::move(known)});
    body.push_back({std::move(split)});
    return body;
  }

 private:
  using Pair = std::array<ExprPtr, kPlaneAxes>;  // along x and y
  using OneCell = std::function<void(const std::vector<ExprPtr>& cell, const Pair& in_block,
                                     Names& names, Body& body)>;

  bool several() const { return cells_of_thread(schedule_) != std::array{1, 1}; }

  // The coordinate of the thread in a launch whose blocks are not swizzled.
  ExprPtr unswizzled(int axis) const {
    const ExprPtr first = kernel::mul(kernel::place(kernel::Place::block, axis),
                                      kernel::index(block_cells(context_, schedule_, axis)));
    return schedule_.threads[axis] == 1
               ? first
               : kernel::add(first, kernel::place(kernel::Place::thread, axis));
  }

  // The cells of threads that are all inside. `at`: the first one.
  Body inside(const std::vector<ExprPtr>& at) {
    ir::Reach margin = margin_;
    for (int a = 0; a < kPlaneAxes; ++a) margin.high[a] += cells_of_thread(schedule_)[a] - 1;
    const InteriorSplit interior(context_, margin);
    ExprPtr all;
    for (int a = 0; a < context_.rank(); ++a) {
      if (a < kPlaneAxes) all = kernel::both(all, interior.has(a, at[a]));
      if (margin.high[a] == 0 && (a < kPlaneAxes || schedule_.threads[a] > 1))
        all = kernel::both(all, in_box(context_, a, at[a]));
    }
    Body body = {{kernel::If{all, bodies_.inside(mapping_), {}}}};
    if (!several()) return body;
    kernel::If aligned{kernel::var(context_.aligned, kernel::Type::boolean), std::move(body), {}};
    aligned.no.push_back({kernel::Note{"Vectors that are not aligned."}});
    Names names = context_.names;
    const Pair ends = declare_ends(names, aligned.no);
    ExprPtr before, each;  // conditions that are the same for all cells of a thread, and others
    const OneCell one_cell = [&](const std::vector<ExprPtr>& at_cell, const Pair&, Names& inner,
                                 Body& body_of_cell) {
      const std::vector<ExprPtr> cell = declare_cell(at_cell, inner, body_of_cell);
      for (int a = 0; a < kPlaneAxes; ++a) {
        ExprPtr& condition = cells_of_thread(schedule_)[a] > 1 ? each : before;
        condition = kernel::both(condition, is_inside(a, cell[a], ends[a]));
      }
      body_of_cell.push_back({kernel::If{each, bodies_.inside_cell(cell, inner), {}}});
    };
    Body loops = cell_by_cell(at, names, one_cell);
    if (context_.rank() == 3 && margin_.high[2] == 0 && schedule_.threads[2] > 1)
      before = kernel::both(before, in_box(context_, 2, at[2]));
    if (before) loops = {{kernel::If{before, std::move(loops), {}}}};
    append(aligned.no, std::move(loops));
    return {{std::move(aligned)}};
  }

  // Is it a cell of a thread whose cells are all inside along the axis? `end`: declare_ends().
  ExprPtr is_inside(int axis, const ExprPtr& at, const ExprPtr& end) const {
    const ExprPtr behind_low =
        low(axis) == 0 ? nullptr : kernel::bin(BinOp::ge, at, kernel::index(low(axis)));
    return kernel::both(behind_low,
                        kernel::bin(BinOp::lt, kernel::add(at, end), context_.box.extent(axis)));
  }

  // How many cells near the low end of an axis the first rows of blocks have, and near the high
  // ends of x and y: all cells of whole threads, so that their number depends on the extent.
  int low(int axis) const {
    const int cells = cells_of_thread(schedule_)[axis];
    return (margin_.low[axis] + cells - 1) / cells * cells;
  }
  Pair declare_ends(Names& names, Body& body) const {
    Pair ends;
    for (int a = 0; a < kPlaneAxes; ++a) {
      ends[a] = kernel::index(margin_.high[a]);
      if (cells_of_thread(schedule_)[a] == 1) continue;
      const ExprPtr behind =
          kernel::bin(BinOp::mod, kernel::add(context_.box.extent(a), -margin_.high[a]),
                      kernel::index(counts_[a]));
      ends[a] = declare("high_" + context_.axes[a], kernel::add(behind, ends[a]), names, body);
    }
    return ends;
  }

  // As many cells as a thread has where all are inside, one by one: those of neighbouring threads
  // lie side by side. `in_block`: which column and row of the block.
  Body cell_by_cell(std::vector<ExprPtr> cell, Names names, const OneCell& compute) const {
    constexpr std::array kNames = {"v", "r"}, kPlaces = {"column_of_block", "row_of_block"};
    std::array<For, kPlaneAxes> loops;
    Pair in_block;
    Body body;
    for (int a = kPlaneAxes - 1; a >= 0; --a) {
      in_block[a] =
          schedule_.threads[a] > 1 ? kernel::place(kernel::Place::thread, a) : kernel::index(0);
      if (cells_of_thread(schedule_)[a] == 1) continue;
      loops[a] = counted(For::rolled, names.claim(kNames[a]), kernel::index(counts_[a]));
      const ExprPtr skipped = kernel::mul(kernel::var(loops[a].name), kernel::index(threads_[a]));
      in_block[a] = declare(kPlaces[a], kernel::add(in_block[a], skipped), names, body);
      cell[a] = kernel::add(mapping_.block[a], in_block[a]);
    }
    compute(std::move(cell), in_block, names, body);
    for (int a = 0; a < kPlaneAxes; ++a) {
      if (cells_of_thread(schedule_)[a] == 1) continue;
      loops[a].body = std::move(body);
      body = {{std::move(loops[a])}};
    }
    return body;
  }

  std::vector<ExprPtr> declare_cell(std::vector<ExprPtr> cell, Names& names, Body& body) const {
    for (int a = kPlaneAxes - 1; a >= 0; --a)
      if (cells_of_thread(schedule_)[a] > 1)
        cell[a] = declare("cell_" + context_.axes[a], cell[a], names, body);
    return cell;
  }

  // Cells near the boundary: of the first rows of blocks, and of planes near the ends of z.
  Body edge_cells(const std::vector<ExprPtr>& at) const {
    Names names = context_.names;
    Body body;
    const ExprPtr cells = kernel::index(block_cells(context_, schedule_, 0));
    const ExprPtr nx = context_.box.extent(0), ny = context_.box.extent(1);
    const ExprPtr blocks_x =
        kernel::bin(BinOp::idiv, kernel::add(kernel::add(nx, cells), -1), cells);
    const ExprPtr row_cells = declare("row_cells", kernel::mul(blocks_x, cells), names, body);
    const Pair ends = declare_ends(names, body);
    const ExprPtr first_row = kernel::mul(row_, kernel::index(block_cells(context_, schedule_, 1)));
    const OneCell one_cell = [&](std::vector<ExprPtr> cell, const Pair& in_block, Names& inner,
                                 Body& each) {
      if (at_edge_) cell = declare_cell(std::move(cell), inner, each);
      ExprPtr row = kernel::add(first_row, in_block[1]), column = cell[0];
      if (several()) {
        row = declare("number_row", row, inner, each);
        if (!at_edge_) column = declare("number_column", column, inner, each);
      }
      const ExprPtr number =
          declare("number", kernel::add(kernel::mul(row, row_cells), column), inner, each);
      std::vector<ExprPtr> args = {number, nx, ny};
      for (int a = 0; a < kPlaneAxes; ++a) {
        args.push_back(kernel::index(low(a)));
        args.push_back(ends[a]);
      }
      for (const auto& [axis, function] :
           {std::pair(0, kernel::Fn::edge_x), {1, kernel::Fn::edge_y}}) {
        ExprPtr at_axis = kernel::call(kernel::Type::index, function, args);
        if (at_edge_) at_axis = kernel::pick(at_edge_, std::move(at_axis), cell[axis]);
        cell[axis] = declare("edge_" + context_.axes[axis], at_axis, inner, each);
      }
      append(each, bodies_.edge_cell(cell, inner));
    };
    append(body, cell_by_cell(at, names, one_cell));
    return body;
  }

  const Context& context_;
  const plan::Schedule& schedule_;
  const EdgeCellBodies& bodies_;
  const ir::Reach margin_;                         // of threads whose cells are all inside
  std::array<kernel::Count, kPlaneAxes> counts_;   // of a thread's cells along x and y
  std::array<kernel::Count, kPlaneAxes> threads_;  // of a block
  ThreadMapping mapping_;
  ExprPtr row_;
  ExprPtr at_edge_;  // is it one of the first rows? Null: other rows compute no edge cells
};

}  // namespace

std::array<int, 2> edge_widths(const ir::Stencil& stencil, const plan::Launch& launch,
                               const plan::Schedule& schedule) {
  const auto& [low, high] = launch.margin;
  if (low[0] + high[0] + low[1] + high[1] == 0) return {0, 0};
  const ir::Reach margin = most_margin(stencil, launch, schedule);
  std::array<int, kPlaneAxes> widths = cells_of_thread(schedule);
  for (size_t a = 0; a < widths.size(); ++a) widths[a] += margin.low[a] + margin.high[a] - 1;
  return widths;
}

bool has_edge_cells(const Context& context, const plan::Schedule& schedule,
                    const ir::Reach& margin) {
  if (argument_of(context, schedule).empty()) return false;
  const ir::Reach known = most_margin(context.stencil, context.launch, schedule);
  const auto at_most = [](const ir::Offset& a, const ir::Offset& b) {
    return std::ranges::equal(a, b, [](int x, int y) { return x <= y; });
  };
  return at_most(margin.low, known.low) && at_most(margin.high, known.high);
}

Body with_edge_cells(const Context& context, const plan::Schedule& schedule,
                     const ir::Reach& margin, const EdgeCellBodies& bodies,
                     kernel::Launch& launch) {
  return EdgeCells(context, schedule, margin, bodies).run(launch);
}

}  // namespace stencilc::lower
