// Temporal blocking by warps that stream: all time steps of a launch at once, each behind the last.
//
// before   a launch for each step: load the rows around y, compute row y, store it
// after    for each row n: load row n of t
//                          step 1 makes row n-1 of t+1 of the rows n-2, n-1, n of t
//                          step 2 makes row n-2 of t+2 of the rows n-3, n-2, n-1 of t+1 ...
//                          store row n-steps of t+steps
//
// Of a field that is read at t-1, too, row n-1 of t-1 comes with row n of t. Step 2 then needs row
// n-2 of t, step 3 that of t+1, and so on: the last of the rows that the step before has kept. And
// row n-steps of t+steps-1 is stored, too, which the last step has kept.
//
// A lane has a vector of each row; what lies beside it comes from other lanes, what lies above and
// below from rows that it keeps or has added to sums. What the lanes at the ends of a tile and its
// first rows make is not stored, because they lack neighbours.
#include "lower/temporal/stream_2d/stream_2d.h"

#include <algorithm>

#include "lower/boundary/interior_split.h"
#include "lower/boundary/peeled_loop.h"
#include "lower/boundary/unassigned_cells.h"
#include "lower/context/build.h"
#include "lower/temporal/stream_2d/bit_row.h"
#include "lower/tile/register_tile_load.h"
#include "plan/temporal/streaming_partition.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;
using kernel::pick;

namespace {

class Stream2d : BitRow {
 public:
  Stream2d(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : BitRow(context, schedule, temporal) {}

  Body run(kernel::Launch& launch) {
    kernel::Kernel& kernel = launch.kernel;
    kernel.steps = "steps";  // which names of the program never are (names.cpp)
    kernel.most_steps = temporal_.steps;
    // As many warps as there are registers for, if each takes all it can: nvcc would spill for
    // more.
    kernel.resident =
        schedule_.resident > 0 ? schedule_.resident : std::max(1, 8 / schedule_.threads[1]);
    launch.least[0] = std::max(temporal_.left, temporal_.right) + 1;
    kernel.tile[0] = temporal_.stored_cells(schedule_.vector);
    steps_ = kernel::var(kernel.steps);
    if (!temporal_.bits()) carried_ = carried_by_step(context_, schedule_, temporal_);
    spell_carried(tile_.layout, carried_, {{"max_steps", temporal_.steps}});
    // Do rows wait for cells that no step assigns, though the plan has them pass through sums?
    if (temporal_.passes && keeping() == Keeping::recalled)
      tile_.rows.ring.keep(temporal_.unassigned_rows);
    alike_ = plan::alike_at_ends(context_.stencil, temporal_);
    share_costs(kernel.partition);
    Body body = alike_ ? context_.invariants.statements : Body();
    tile_.layout.share_out(kernel, body);
    interior_x_ = interior_x(body);
    if (alike_) {
      tile_.lay_out(kernel, body);
      stream(body);
    } else {
      body.push_back(separate_variants(kernel, body));
    }
    tile_.layout.give_constants(kernel);
    return body;
  }

 private:
  void share_costs(kernel::Kernel::Partition& partition) const {
    const plan::PartitionCosts costs = plan::partition_costs(context_.stencil, temporal_);
    partition.length = schedule_.full ? 0 : schedule_.coarsen;
    partition.filled = {costs.filled.beside, costs.filled.ends, costs.filled.boundary};
    partition.ragged = {costs.ragged.beside, costs.ragged.ends, costs.ragged.boundary};
    partition.vector = schedule_.vector;
    partition.filled_up = temporal_.ends_with_rows();
    partition.first_less = temporal_.first_less(schedule_.vector);
  }

  // Does nothing that a tile computes lie near the boundary?
  ExprPtr interior_x(Body& body) {
    body.push_back({kernel::Note{"A tile whose reads all stay in the grid needs no checks."}});
    return declare("interior_" + context_.axes[0],
                   kernel::both(tile_.layout.aligned, InteriorSplit(context_).holds(
                                                          0, tile_.layout.first_cell,
                                                          kernel::add(tile_.layout.first_cell,
                                                                      tile_.layout.row_cells()))),
                   context_.names, body);
  }

  ExprPtr before() const { return kernel::mul(steps_, index(temporal_.planes_before)); }
  ExprPtr lag() const { return kernel::mul(steps_, index(temporal_.lag)); }
  // Rows all that the steps read of which lies inside, and so many rows after them: those of a row
  // that arrives are so many rows behind it, and rows that stay do so from where they arrive.
  Sections::Span rows_inside(int more) const {
    ir::Reach reach;
    reach.low[1] = context_.launch.margin.low[1] + 1;
    const int unassigned = keeping() == Keeping::passing ? unassigned_cells(box(), 1, 1) : 0;
    reach.high[1] = std::max({more, unassigned, context_.launch.margin.high[1] - temporal_.lag,
                              temporal_.held - temporal_.lag});
    const InteriorSplit split(context_, reach);
    return {kernel::add(lag(), split.first(1)), split.end(1)};
  }

  // A variant for warps inside, and others for those near the boundary, as functions: what these
  // hold takes no registers from the first.
  kernel::Stmt separate_variants(kernel::Kernel& kernel, Body& body) {
    Names& names = context_.names;
    const Sections::Span inside_y = rows_inside(schedule_.ahead);
    const ExprPtr interior_y = declare(
        "interior_" + context_.axes[1],
        kernel::both(kernel::bin(BinOp::ge, kernel::bin(BinOp::sub, tile_.layout.first, before()),
                                 inside_y.first),
                     kernel::bin(BinOp::le, kernel::add(tile_.layout.end, lag()), inside_y.end)),
        names, body);
    kernel::Variants variants;
    variants.apart = true;
    variants.name = names.claim("advance_rows");
    variants.flag = names.claim("edge");
    const std::string corner = names.claim("corner"), ends = names.claim("ends");
    variants.condition = kernel::both(interior_x_, interior_y);
    variants.takes = {kernel::as<kernel::Var>(tile_.layout.first_cell)->name,
                      kernel::as<kernel::Var>(tile_.layout.first)->name,
                      kernel::as<kernel::Var>(tile_.layout.end)->name};
    if (schedule_.threads[1] > 1)
      variants.takes.push_back(kernel::as<kernel::Var>(tile_.layout.warp)->name);
    if (tile_.layout.low_end) {
      variants.takes.push_back(kernel::as<kernel::Var>(tile_.layout.low_end)->name);
      variants.counts = true;
    }
    const auto flag = [](const std::string& name) {
      return kernel::var(name, kernel::Type::boolean);
    };
    const ExprPtr inside = kernel::make(kernel::Type::boolean, kernel::Not{flag(variants.flag)});
    const ExprPtr whole = interior_x_;
    interior_x_ = inside;
    tile_.layout.apart = true;
    tile_.layout.corner = flag(corner);
    ends_ = flag(ends);
    edge_ = variants.flag;
    tile_.ghosts.selects_columns = true;
    variants.body = context_.invariants.statements;
    tile_.layout.at_boundary = {flag(variants.flag), ends_};
    tile_.lay_out(kernel, variants.body);
    stream(variants.body);
    variants.further = {corner, ends};
    variants.cases = {{whole, {false, false, true}},
                      {tile_.layout.ends_with_vectors(), {true, false, true}}};
    const std::string vectors = kernel::as<kernel::Var>(tile_.layout.aligned)->name;
    if (vectors != context_.aligned) variants.instead = {{context_.aligned, vectors}};
    variants.note = edge_note(context_);
    return {std::move(variants)};
  }

  void stream(Body& body) {
    Names& names = context_.names;
    ExprPtr from = kernel::bin(BinOp::sub, tile_.layout.first, before());
    if (!alike_)  // what lies before that stands for rows inside
      from = pick(kernel::bin(BinOp::gt, from, index(-temporal_.planes_before)), from,
                  index(-temporal_.planes_before));
    const ExprPtr first = declare("first_row", from, names, body);
    tile_.rows.ring.declare("slot", body);
    tile_.prefetch.start(first, body);
    n_ = declare("n", first, names, body, true);
    fill(names, body);
    const ExprPtr last = declare("last_row", kernel::add(tile_.layout.end, lag()), names, body);
    // Where the text is the same for all rows, those that are asked for lie inside, too.
    Sections sections(rows_inside(alike_ ? schedule_.ahead : 0), last, names, body);
    declare_carried(body);
    if (temporal_.bits()) declare_bits(body);
    if (!alike_) name_far();
    const ExprPtr& low_end = tile_.layout.low_end;
    For turns;
    const ExprPtr stop = low_end ? stop_at_low_end(last, turns, body) : nullptr;
    Body& sections_body = low_end ? turns.body : body;
    For parts = sections.loop("Rows", alike_ ? index(0) : pick(ends_, index(0), index(2)), names,
                              sections_body);
    const ExprPtr& second = sections.is_inside();
    const ExprPtr inside = declare(
        "inside_" + context_.axes[1],
        alike_ ? second
               : kernel::bin(BinOp::or_, kernel::make(kernel::Type::boolean, kernel::Not{ends_}),
                             second),
        names, parts.body);
    until_ = declare(low_end ? "end_of_section" : "until", sections.end(), names, parts.body);
    if (low_end) until_ = declare("until", kernel::least(until_, stop), names, parts.body);
    if (alike_) {
      append(parts.body, variants(kernel::both(interior_x_, inside)));
    } else {
      kernel::If which{inside, variants(interior_x_), {}};
      which.no.push_back({kernel::If{kernel::bin(BinOp::lt, n_, until_), rows_near_ends(), {}}});
      parts.body.push_back({std::move(which)});
    }
    sections_body.push_back({std::move(parts)});
    if (low_end) count_low_end(turns, body);
  }

  // Until rows reach the later half of the time steps, only the first half is taken: what the
  // others would make lies before all that is stored. Step k of a launch takes its first row that
  // matters when so many times k rows have arrived as rows lie beside a cell.
  void fill(Names& names, Body& body) {
    if (temporal_.bits() || temporal_.steps < plan::kFewestFilled) return;
    filling_ = kernel::bin(BinOp::idiv, steps_, index(2));
    body.push_back({kernel::Note{
        "While the first rows arrive, only the first half of the steps has rows that matter."}});
    filled_ =
        declare("filled",
                kernel::add(kernel::bin(BinOp::sub, tile_.layout.first, before()),
                            kernel::mul(filling_, index(temporal_.planes_before + temporal_.lag))),
                names, body);
  }

  // The rows at the low end of a window are counted as soon as they are stored: they are a turn of
  // their own. Begins the loop of the turns; returns where the stream stops in a turn.
  ExprPtr stop_at_low_end(const ExprPtr& last, For& turns, Body& body) {
    Names& names = context_.names;
    body.push_back(
        {kernel::Note{"Where the low end of a window is stored, the stream stops to count it."}});
    const ExprPtr counted =
        declare("counted", kernel::add(tile_.layout.low_end, lag()), names, body);
    turns.name = names.claim("turn");
    turns.first = pick(kernel::bin(BinOp::gt, counted, n_), index(0), index(1));
    turns.last = index(2);
    return declare("stop", pick(is_first(turns), counted, last), names, turns.body);
  }
  void count_low_end(For& turns, Body& body) {
    turns.body.push_back({kernel::If{is_first(turns), {{kernel::CountLowEnd{false}}}, {}}});
    body.push_back({std::move(turns)});
  }
  static ExprPtr is_first(const For& turns) {
    return kernel::bin(BinOp::eq, kernel::var(turns.name), index(0));
  }

  // What time steps keep: arrays of registers, and the memory of the thread's own where it is
  // while rows near the ends of the stream are in work.
  std::vector<kernel::Buffer*> carried_buffers(CarriedRows& carried) const {
    std::vector<kernel::Buffer*> all;
    for (RegisterTile& regs : carried.tiles)
      for (RegisterTile::Plane& plane : regs.planes) all.push_back(&plane.registers);
    for (PlaneSum& sum : carried.sums.sums)
      for (size_t n = 0; n + 1 < sum.partials.size(); ++n) all.push_back(&sum.partials[n]);
    return all;
  }
  void declare_carried(Body& body) {
    const bool sums = !carried_.sums.sums.empty(), rows = !carried_.tiles.empty();
    if (sums || rows)
      body.push_back(
          {kernel::Note{std::string("Each step carries in registers: ") +
                        (rows ? "its last rows" : "") + (rows && sums ? ", and " : "") +
                        (sums ? "the partial sums of rows that are not complete" : "") + "."}});
    for (const kernel::Buffer* one : carried_buffers(carried_))
      body.push_back({kernel::Array{*one, true}});
  }
  void name_far() {
    far_ = carried_;
    for (kernel::Buffer* one : carried_buffers(far_))
      one->name = context_.names.claim(one->name + "_local");
  }
  // All of it from the one to the other.
  Body moved(CarriedRows& to, CarriedRows& from) {
    Body body;
    const std::vector<kernel::Buffer*> targets = carried_buffers(to),
                                       sources = carried_buffers(from);
    Names names = context_.names;
    For loop = unrolled(names.claim("k"), 0, 0);
    loop.last = steps_;
    const ExprPtr k = kernel::var(loop.name);
    for (size_t n = 0; n < targets.size(); ++n)
      loop.body.push_back({kernel::Copy{*targets[n], index(0), *sources[n], index(0),
                                        targets[n]->registers, 1, k, k}});
    body.push_back({std::move(loop)});
    return body;
  }

  // Rows near the ends of the stream: their code has the time steps in a loop, and what these keep
  // in memory of the thread's own. Registers are for all other rows.
  Body rows_near_ends() {
    Body body;
    for (const kernel::Buffer* one : carried_buffers(far_)) body.push_back({kernel::Array{*one}});
    append(body, moved(far_, carried_));
    std::swap(carried_, far_);
    append(body, rows(true, true, {}));
    std::swap(carried_, far_);
    append(body, moved(carried_, far_));
    return body;
  }

  // Rows inside, and with ends near the boundary.
  Body variants(const ExprPtr& inside) {
    const bool one_variant = serves_both(context_) && !reads_inputs();
    if (one_variant && !alike_) return rows(true, false, {edge_, ""});
    Halves halves{inside, one_variant};
    halves.noted = false;
    return inside_or_not(context_, halves, [&](bool edges, const EdgeFlags& flags) {
      return rows(edges, false, flags);
    });
  }

  // The rows of a part of the stream.
  Body rows(bool edges, bool ends, const EdgeFlags& flags) {
    flags_ = flags;
    Body body;
    if (filled_ && !ends) {
      Names names = context_.names;
      const ExprPtr until = declare("end_of_filling", kernel::least(filled_, until_), names, body);
      body.push_back(rows_until(until, edges, one_row(edges, false, filling_)));
    }
    body.push_back(
        rows_until(until_, edges, temporal_.bits() ? row_of_bits(edges) : one_row(edges, ends)));
    return body;
  }
  kernel::Stmt rows_until(const ExprPtr& until, bool edges, Body row) {
    const Slots& ring = tile_.rows.ring;
    For loop{For::plain,
             kernel::as<kernel::Var>(n_)->name,
             kernel::Type::index,
             nullptr,
             until,
             {},
             nullptr,
             nullptr};
    loop.body.push_back(tile_.prefetch.ask_row(kernel::add(n_, index(ring.distance())),
                                               ring.asked(), flags_.edge, edges));
    loop.body.push_back({kernel::Await{schedule_.ahead}});
    append(loop.body, std::move(row));
    ring.go_on(loop.body);
    return {std::move(loop)};
  }

  CarriedRows far_;
  ExprPtr until_;
  ExprPtr filling_, filled_;  // the steps that first rows take, and where these end; null: all do
  bool alike_ = false;        // is the code of the ends of a stream that of the rest?
  ExprPtr interior_x_;        // of a tile
  ExprPtr ends_;              // is an end of the stream near?
  std::string edge_;
};

}  // namespace

Body lower_stream_2d(const Context& context, const plan::Schedule& schedule,
                     const plan::Temporal& temporal, kernel::Launch& launch) {
  return Stream2d(context, schedule, temporal).run(launch);
}

}  // namespace stencilc::lower
