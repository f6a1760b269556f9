// Sums over boxes whose taps are loops. A row that arrives is added to the sums of all the thread's
// rows that read it, so that each sum meets its terms in their order (ir/numerics.h), row by row.
//
// before   dst[i] = w[-1,-1] * img[x-1,y-1] + ... + w[1,1] * img[x+1,y+1]
// after    for row in 0 .. 4:                            with three rows a thread
//            st::load<4, 3>(img_0, &img[j - 4]);
//            for r in 0 .. 2: if (r <= row && row < r + 3)
//              for tap in 0 .. 2: for v in 0 .. 3:
//                sum[r][v] = fma(w[(row - r) * 3 + tap], img_0[v + tap + 3], sum[r][v]);
//            j += pitch;
#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "lower/boundary/edge_flag.h"
#include "lower/boundary/grid_ends.h"
#include "lower/boundary/interior_split.h"
#include "lower/cell/weights.h"
#include "lower/context/build.h"
#include "lower/spatial/traversals.h"
#include "lower/tile/register_tile_load.h"
#include "lower/tile/shared_ring.h"
#include "lower/tile/thread_mapping.h"
#include "lower/tile/vector_row.h"
#include "plan/schedule/convolutions.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;

namespace {

ExprPtr as_type(const ExprPtr& value, kernel::Type type) {
  return value->type == type ? value : kernel::make(type, kernel::Convert{value});
}

// A field's row that arrives, in the type that sums take it.
struct Arriving {
  int field = 0, level = 0;
  kernel::Type type;
  kernel::Buffer registers;
  kernel::Count own;  // where the thread's first cell lies in them
};

class Convolve {
 public:
  Convolve(const Context& context, const plan::Schedule& schedule)
      : context_(context),
        schedule_(schedule),
        patch_{context.count("width", schedule.vector), context.count("rows", schedule.rows), -1} {}

  Body run(kernel::Launch& launch) {
    std::string& why = launch.no_loops;
    if (recomputes(context_)) why = "it recomputes `t+1` of neighbouring cells";
    for (const bool edges : {false, true})
      if (plan::convolutions_of(context_.stencil, context_.launch, values_of(context_, edges))
              .sums.empty())
        why = "it has no sum over all cells of a box";
    if (!why.empty()) return {};
    Body body = context_.invariants.statements;
    mapping_ = map_threads(context_, schedule_, body);
    ring_ = Ring::of(context_, schedule_, patch_, launch.no_planes);
    if (ring_) ring_->declare(context_, mapping_, launch, body);
    body.push_back(
        {kernel::Note{"Interior blocks read nothing outside the grid and need no checks."}});
    const ExprPtr inside = block_inside(context_, schedule_, mapping_, margin(), body);
    const ExprPtr aligned = kernel::var(context_.aligned, kernel::Type::boolean);
    Halves halves{inside, serves_both(context_)};
    if (ring_)
      halves.inside = kernel::both(inside, kernel::both(aligned, ring_->mapped()));
    else
      halves.aligned = aligned;
    Body both = inside_or_not(
        context_, halves, [&](bool edges, const EdgeFlags& flags) { return cells(edges, flags); });
    std::move(both.begin(), both.end(), std::back_inserter(body));
    return body;
  }

 private:
  // A sum under way, for all cells of the thread.
  struct Sum {
    const plan::Convolution* of = nullptr;
    kernel::Buffer registers;
    const Arriving* arriving = nullptr;
  };

  bool has_rows() const { return patch_.rows > 1; }
  bool in_plane() const { return context_.rank() > 1; }

  // Loads reach to the ends of vectors.
  ir::Reach margin() const {
    ir::Reach margin = context_.launch.margin;
    const ir::Reach around = ring_ ? ring_->reach() : ir::Reach();
    for (int a = 0; a < 2; ++a) {
      margin.low[a] = std::max(margin.low[a], around.low[a]);
      margin.high[a] = std::max(margin.high[a], around.high[a]);
    }
    const auto whole = [&](int n) { return (n + patch_.width - 1) / patch_.width * patch_.width; };
    margin.low[0] = whole(margin.low[0]);
    margin.high[0] = whole(margin.high[0]);
    return margin;
  }

  // All cells of the thread.
  Body cells(bool edges, const EdgeFlags& flags) {
    edges_ = edges;
    flags_ = flags;
    Names names = context_.names;
    parts_ = plan::convolutions_of(context_.stencil, context_.launch, values_of(context_, edges));
    fill_.emplace(context_, patch_, edges, true, false, flags);
    tiles_ = register_tiles_of(context_, parts_.others, patch_, names);
    std::vector<ir::ExprPtr> taps;
    low_ = parts_.sums[0].box.low[1];
    high_ = parts_.sums[0].box.high[1];
    for (const plan::Convolution& one : parts_.sums) {
      low_ = std::min(low_, one.box.low[1]);
      high_ = std::max(high_, one.box.high[1]);
      for (int x = one.box.low[0]; x <= one.box.high[0]; ++x)
        taps.push_back(ir::displace(one.box.tap, {x, 0, 0}));
    }
    rows_ = register_tiles_of(context_, taps, {patch_.width, 1, -1}, names);
    Body filled, body;  // by the block, and what a thread makes of it
    for (const auto* tiles : {&rows_, &tiles_})
      fill_->declare(*tiles, mapping_.thread, names, ring_ ? filled : body);
    if (ring_)
      ring_->declare_source(context_, fill_->cells(), edges, edge_flag(flags), names, filled);
    const ExprPtr i = declare("i", linear(context_, mapping_.thread), names, body);
    sums(i, names, body);
    for (const RegisterTile& regs : tiles_) {
      body.push_back({kernel::Array{regs.plane(0).registers}});
      for (const Run& run : runs_at_each(regs))
        load(regs, run, mapping_.thread, i, nullptr, names, body);
    }
    results(i, names, body);
    if (edges_) {
      const ExprPtr guard = near_boundary(flags_, in_box(context_, mapping_.thread));
      body = {{kernel::If{guard, std::move(body), {}}}};
    }
    std::move(body.begin(), body.end(), std::back_inserter(filled));
    return filled;
  }

  // Loads a run from the tile, where that has it, or from memory; of the row that arrives as that
  // one, if there is one.
  void load(const RegisterTile& regs, const Run& run, const std::vector<ExprPtr>& at,
            const ExprPtr& i, const ExprPtr& row, Names& names, Body& body) {
    kernel::Stage none;
    if (ring_ && ring_->back(regs.field, regs.level, 0) >= 0)
      ring_->load(regs, run, 0, row ? kernel::add(row, low_) : nullptr, none, names, body);
    else
      (*fill_)(regs, run, at, i, row ? 1 : -1, row ? Ends::both : Ends::none, names, body);
  }

  // Computes all sums of the thread's cells.
  void sums(const ExprPtr& i, Names& names, Body& body) {
    const bool from_zero =
        std::any_of(parts_.sums.begin(), parts_.sums.end(),
                    [](const plan::Convolution& one) { return !ir::as<ir::Sum>(one.sum)->bias; });
    if (from_zero)
      body.push_back({kernel::Note{
          "A sum starts from -0: adding a product gives that product, even if it is -0."}});
    arriving_.clear();
    arriving_.reserve(parts_.sums.size());
    sums_.clear();
    for (const plan::Convolution& one : parts_.sums) {
      Sum sum{&one, {}, arriving_for(one, names)};
      sum.registers = {names.claim("sum"), type_of(one.sum->type), true};
      sum.registers.registers = patch_.width;
      sum.registers.rows = patch_.rows;
      body.push_back({kernel::Array{sum.registers}});
      sums_.push_back(sum);
    }
    begin(names, body);
    For loop = unrolled(
        in_plane() ? names.claim("row") : "", 0,
        kernel::plus(kernel::plus(context_.count("box_rows", high_ - low_ + 1), patch_.rows), -1));
    if (schedule_.taps == plan::Taps::rolled) loop.mark = For::plain;
    const ExprPtr row = in_plane() ? kernel::var(loop.name) : nullptr;
    ExprPtr j = i;
    // All fields of sums are in a tile.
    if (in_plane() && !ring_)
      j = declare("j", shifted(context_, i, {0, low_, 0}), names, body, true);
    Body& each = in_plane() ? loop.body : body;
    load_row(j, row, names, each);
    Names inner = names;
    For own = unrolled(has_rows() ? inner.claim("r") : "", 0, patch_.rows);
    const ExprPtr r = has_rows() ? kernel::var(own.name) : nullptr;
    for (const Sum& sum : sums_) add_row(sum, row, r, inner, has_rows() ? own.body : each);
    if (has_rows()) each.push_back({std::move(own)});
    if (!in_plane()) return;
    if (!ring_)
      each.push_back({kernel::Assign{kernel::as<kernel::Var>(j)->name,
                                     kernel::add(j, kernel::var(context_.pitch))}});
    body.push_back({std::move(loop)});
  }

  // What the sums begin with.
  void begin(const Names& outer, Body& body) {
    Names names = outer;
    For rows = unrolled(has_rows() ? names.claim("r") : "", 0, patch_.rows);
    For loop = unrolled(names.claim("v"), 0, patch_.width);
    const ExprPtr v = kernel::var(loop.name), r = has_rows() ? kernel::var(rows.name) : nullptr;
    Cell cell(context_, mapping_.thread, nullptr, names, body);
    for (const Sum& sum : sums_) {
      const ir::ExprPtr& bias = ir::as<ir::Sum>(sum.of->sum)->bias;
      const ExprPtr first = bias ? cell.named(cell.value(bias), "first")
                                 : kernel::make(sum.registers.element, kernel::Real{-0.0});
      loop.body.push_back({kernel::Store{sum.registers, v, first, r}});
    }
    if (has_rows()) rows.body.push_back({std::move(loop)});
    body.push_back({has_rows() ? std::move(rows) : std::move(loop)});
  }

  // The row that a sum takes, shared with those that take it in the same type.
  const Arriving* arriving_for(const plan::Convolution& one, Names& names) {
    const kernel::Type type = type_of(one.box.tap->type);
    for (const Arriving& known : arriving_)
      if (known.field == one.box.field && known.level == one.box.level && known.type == type)
        return &known;
    const RegisterTile& regs = register_tile_of(one.box.field, one.box.level);
    const RegisterTile::Plane& plane = regs.plane(0);
    Arriving result{regs.field, regs.level, type, plane.registers, plane.own};
    if (type != plane.registers.element) {
      result.registers.name = names.claim(plane.registers.name + "_converted");
      result.registers.element = type;
    }
    arriving_.push_back(result);
    return &arriving_.back();
  }

  const RegisterTile& register_tile_of(int field, int level) const {
    return *std::find_if(rows_.begin(), rows_.end(), [&](const RegisterTile& regs) {
      return regs.field == field && regs.level == level;
    });
  }

  // Loads the row, whose first cell beside the thread's is j, and converts it.
  void load_row(const ExprPtr& j, const ExprPtr& row, const Names& outer, Body& body) {
    Names names = outer;
    std::vector<ExprPtr> there = mapping_.thread;
    if (row) there[1] = kernel::add(kernel::add(there[1], row), low_);
    for (const RegisterTile& regs : rows_) {
      body.push_back({kernel::Array{regs.plane(0).registers}});
      for (const Run& run : runs_at_each(regs)) load(regs, run, there, j, row, names, body);
    }
    std::set<std::string> done;
    for (const Sum& sum : sums_) {
      const Arriving& one = *sum.arriving;
      const kernel::Buffer& from = register_tile_of(one.field, one.level).plane(0).registers;
      if (one.registers.name == from.name || !done.insert(one.registers.name).second) continue;
      body.push_back({kernel::Array{one.registers}});
      Names inner = names;
      For loop = unrolled(inner.claim("c"), 0, from.registers);
      const ExprPtr c = kernel::var(loop.name);
      Cell cell(
          context_, there,
          [&](const ir::Read&) {
            return kernel::make(from.element, kernel::Load{from, c});
          },
          inner, loop.body);
      loop.body.push_back({kernel::Store{one.registers, c, cell.value(sum.of->box.tap), nullptr}});
      body.push_back({std::move(loop)});
    }
  }

  // Adds the row that arrived to a sum, where that reads it, in row r of the thread.
  void add_row(const Sum& sum, const ExprPtr& row, const ExprPtr& r, const Names& outer,
               Body& body) {
    const ir::BoxSum& box = sum.of->box;
    Names names = outer;
    For taps = unrolled(names.claim("tap"), 0, context_.count("box_cells", box.row()));
    For loop = unrolled(names.claim("v"), 0, patch_.width);
    const ExprPtr tap = kernel::var(taps.name), v = kernel::var(loop.name);
    ExprPtr first = kernel::index(box.low[1] - low_);  // that row r reads
    if (r) first = kernel::add(r, box.low[1] - low_);
    const ExprPtr of_box =
        !row ? kernel::index(0)
        : kernel::as<kernel::Int>(first) && kernel::as<kernel::Int>(first)->value == 0
            ? row
            : kernel::bin(BinOp::sub, row, first);
    const ExprPtr value = kernel::make(sum.registers.element, kernel::Load{sum.registers, v, r});
    const Arriving& arriving = *sum.arriving;
    const ExprPtr at =
        kernel::add(kernel::add(kernel::add(v, tap), kernel::index(arriving.own)), box.low[0]);
    const ExprPtr product = kernel::make(
        sum.registers.element,
        kernel::Fma{weight(sum, of_box, tap),
                    kernel::make(arriving.type, kernel::Load{arriving.registers, at}), value});
    loop.body.push_back({kernel::Store{sum.registers, v, product, r}});
    taps.body.push_back({std::move(loop)});
    ExprPtr reads;
    const kernel::Count end =
        kernel::plus(context_.count("box_rows", box.rows()), box.low[1] - low_);
    if (r || box.low[1] > low_) reads = kernel::bin(BinOp::le, first, row);
    if (r || end < high_ - low_ + 1)
      reads = kernel::both(
          reads,
          kernel::bin(BinOp::lt, row, r ? kernel::add(r, kernel::index(end)) : kernel::index(end)));
    if (reads)
      body.push_back({kernel::If{reads, {{std::move(taps)}}, {}}});
    else
      body.push_back({std::move(taps)});
  }

  // The weight of a tap of a row of the box.
  ExprPtr weight(const Sum& sum, const ExprPtr& row, const ExprPtr& tap) {
    const ir::BoxSum& box = sum.of->box;
    const kernel::Type type = sum.registers.element;
    if (box.weight) {
      Body none;
      Names names;
      return as_type(Cell(context_, {}, nullptr, names, none).value(box.weight), type);
    }
    const bool numbers = !box.constants.empty();
    ir::BoxSum::Elements from;
    if (numbers)
      from.stride = {1, pitch_of_table(box), 0};
    else
      from = places_of(context_, box);
    ExprPtr at = kernel::index(from.first);
    const auto step = [&](const ExprPtr& steps, int stride) {
      const ExprPtr far =
          kernel::mul(steps, kernel::index(context_.count("weight_pitch", std::abs(stride))));
      const auto* start = kernel::as<kernel::Int>(at);
      if (stride > 0) at = start && start->value == 0 ? far : kernel::add(at, far);
      if (stride < 0) at = kernel::bin(BinOp::sub, at, far);
    };
    step(row, from.stride[1]);
    step(tap, from.stride[0]);
    const kernel::Buffer& array = numbers ? table_of(context_, box) : context_.weights[from.array];
    return as_type(kernel::load(array, at), type);
  }

  // What the cells make of the sums.
  void results(const ExprPtr& i, Names names, Body& body) {
    For loop = unrolled(has_rows() ? names.claim("r") : "", 0, patch_.rows);
    const ExprPtr r = has_rows() ? kernel::var(loop.name) : nullptr;
    Row row{mapping_.thread, i, patch_.width, edges_, flags_, nullptr, {}};
    if (has_rows()) {
      row.at[1] = kernel::add(row.at[1], r);
      row.i = row_start(context_, patch_, i, r);
    }
    row.in_registers = [&](const ir::Read& read, const ExprPtr& v) {
      return register_value(tiles_, read, patch_, r ? r : kernel::index(0), v);
    };
    for (const Sum& sum : sums_) row.made.push_back({sum.of->sum, sum.registers, r});
    Body cells = lower_row(context_, row, *fill_, names);
    if (has_rows() && edges_)
      cells = {{kernel::If{
          near_boundary(flags_, in_box(context_, 1, row.at[1])), std::move(cells), {}}}};
    if (has_rows()) {
      loop.body = std::move(cells);
      body.push_back({std::move(loop)});
    } else {
      std::move(cells.begin(), cells.end(), std::back_inserter(body));
    }
  }

  const Context& context_;
  const plan::Schedule& schedule_;
  const Patch patch_;
  ThreadMapping mapping_;
  bool edges_ = false;
  EdgeFlags flags_;  // of the variant in work
  plan::Convolutions parts_;
  int low_ = 0, high_ = 0;           // rows that the sums read, as offsets from the cell's
  std::vector<RegisterTile> rows_;   // what arrives
  std::vector<RegisterTile> tiles_;  // what else the thread's cells read
  std::vector<Arriving> arriving_;
  std::vector<Sum> sums_;
  std::optional<Fill> fill_;
  std::optional<Ring> ring_;
};

}  // namespace

Body lower_convolution(const Context& context, const plan::Schedule& schedule,
                       kernel::Launch& launch) {
  return Convolve(context, schedule).run(launch);
}

}  // namespace stencilc::lower
