// Temporal blocking by warps that march: all time steps of a launch at once, each one row behind
// the one before.
//
// before   a launch for each step: load the rows around y, compute row y, store it
// after    for each row n: load row n of t
//                          step 1 makes row n-1 of t+1 of the rows n-2, n-1, n of t
//                          step 2 makes row n-2 of t+2 of the rows n-3, n-2, n-1 of t+1 ...
//                          store row n-steps of t+steps
//
// A lane has a vector of each row. What lies beside it comes from other lanes, what lies above and
// below from rows that it keeps, or has added to sums: warps share nothing, and none waits for
// another. The lanes at the ends of a strip and the rows before the first one are computed by the
// neighbours, too; what they make of the cells that they lack is not stored.
#include <algorithm>
#include <map>

#include "lower/anywhere.h"
#include "lower/bodies.h"
#include "lower/leap.h"
#include "lower/fill.h"
#include "lower/panes.h"
#include "lower/standing.h"
#include "lower/sums.h"
#include "lower/sweep.h"

namespace stencilc::lower {

using kernel::BinOp;
using kernel::Body;
using kernel::ExprPtr;
using kernel::For;
using kernel::index;

namespace {

constexpr int kWarp = 32;

void append(Body& to, Body from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

ExprPtr pick(const ExprPtr& condition, const ExprPtr& yes, const ExprPtr& no) {
  return kernel::make(yes->type, kernel::Pick{condition, yes, no});
}

class Leap {
 public:
  Leap(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal)
      : context_(context),
        schedule_(schedule),
        temporal_(temporal),
        patch_{schedule.vector, 1, 1, true} {}

  Body run(kernel::Launch& launch) {
    kernel::Kernel& kernel = launch.kernel;
    kernel.steps = context_.names.claim("steps");
    kernel.most_steps = temporal_.steps;
    kernel.last_axis_first = true;
    launch.least_x = std::max(temporal_.left, temporal_.right) + 1;
    kernel.tile[0] = temporal_.stored_lanes() * schedule_.vector;
    steps_ = kernel::var(kernel.steps);
    Body body = context_.invariants;
    stand(body);
    name_rows(body);
    declare_ahead(body);
    plan_registers();
    march(body);
    return body;
  }

 private:
  // A field that is stepped.
  struct Stepped {
    int field = 0;
    kernel::Buffer row;    // a thread's part of the row in work
    kernel::Buffer ahead;  // of the block: rows that are on their way
    kernel::Buffer held;   // and those that wait for what they stand for beyond the rim
    std::string at;        // the function of a cell of t, wherever it lies, or of its place
    ExprPtr beyond;        // with places: what is in none
    std::string held_at;   // of a later time step, near the rim
  };

  ExprPtr extent(int axis) const { return kernel::var(context_.extents[axis]); }
  int cells() const { return kWarp * schedule_.vector; }  // of a strip
  int depth() const { return schedule_.ahead + 1; }
  ExprPtr own() const { return kernel::mul(lane_, index(schedule_.vector)); }  // in a strip
  ExprPtr in_rows(const ExprPtr& y) const {
    return kernel::both(kernel::bin(BinOp::ge, y, index(0)), kernel::bin(BinOp::lt, y, extent(1)));
  }
  bool is_stepped(int field) const {
    return context_.stencil.fields[field].role == ir::Role::stepped;
  }
  bool wraps(int axis) const {
    for (const Stepped& one : stepped_)
      if (context_.stencil.fields[one.field].boundary.sides[axis][0].edge == ir::Edge::periodic)
        return true;
    return false;
  }
  // Of text that serves both; null: all of it is for the rim.
  ExprPtr edge() const {
    return context_.edge.empty() ? nullptr : kernel::var(context_.edge, kernel::Type::boolean);
  }

  // The lane, the strip of its warp and the rows that it stores.
  void stand(Body& body) {
    Names& names = context_.names;
    const auto thread = [](int axis) {
      return kernel::make(kernel::Type::index, kernel::Place{kernel::Place::thread, axis});
    };
    const auto block = [](int axis) {
      return kernel::make(kernel::Type::index, kernel::Place{kernel::Place::block, axis});
    };
    const int vector = schedule_.vector, chunk = schedule_.coarsen, warps = schedule_.threads[1];
    const int stored = temporal_.stored_lanes() * vector;
    lane_ = declare("lane", thread(0), names, body);
    warp_ = warps == 1 ? index(0) : declare("warp", thread(1), names, body);
    body.push_back({kernel::Note{
        "A warp has a strip of 32 vectors, of which it stores " +
        std::to_string(temporal_.stored_lanes()) + ": those at the ends lack neighbours."}});
    const ExprPtr last = declare(
        "last_strip", kernel::bin(BinOp::idiv, kernel::add(extent(0), -1), index(stored)), names,
        body);
    body.push_back({kernel::Note{"The strips at the rim take longest, and come first."}});
    const ExprPtr number = pick(kernel::bin(BinOp::eq, block(1), index(0)), last,
                                kernel::add(block(1), -1));
    strip_ = declare("strip",
                     kernel::add(kernel::mul(number, index(stored)),
                                 -temporal_.left_lanes * vector),
                     names, body);
    body.push_back({kernel::Let{context_.axes[0], kernel::add(strip_, own())}});
    x_ = kernel::var(context_.axes[0]);
    first_ = declare("first_" + context_.axes[1],
                     kernel::mul(kernel::add(kernel::mul(block(0), index(warps)), warp_),
                                 index(chunk)),
                     names, body);
    const ExprPtr full = kernel::add(first_, chunk);
    behind_ = declare("behind_" + context_.axes[1],
                      pick(kernel::bin(BinOp::lt, full, extent(1)), full, extent(1)), names, body);
    whole_ = declare(
        "whole",
        kernel::both(kernel::var(context_.aligned, kernel::Type::boolean),
                     kernel::both(kernel::bin(BinOp::ge, x_, index(0)),
                                  kernel::bin(BinOp::le, kernel::add(x_, vector), extent(0)))),
        names, body);
    const int low = temporal_.left_lanes, high = temporal_.right_lanes;
    if (low + high > 0)
      stores_ = declare("stores",
                        kernel::both(kernel::bin(BinOp::ge, lane_, index(low)),
                                     kernel::bin(BinOp::lt, lane_, index(kWarp - high))),
                        names, body);
  }

  kernel::Buffer shared(const std::string& name, kernel::Type element, int rows) {
    kernel::Buffer buffer;
    buffer.name = context_.names.claim(name);
    buffer.element = element;
    buffer.writable = true;
    buffer.shared = true;
    buffer.registers = cells();
    buffer.rows = rows;
    return buffer;
  }

  // What stands for the rows of each field, in memory and near the rim.
  void name_rows(Body& body) {
    const int warps = schedule_.threads[1];
    for (size_t f = 0; f < context_.stencil.fields.size(); ++f) {
      if (!is_stepped(static_cast<int>(f))) continue;
      const kernel::Buffer& memory = context_.levels[f][0];
      Stepped one;
      one.field = static_cast<int>(f);
      one.row.name = context_.names.claim(memory.name + "_row");
      one.row.element = memory.element;
      one.row.writable = true;
      one.row.registers = schedule_.vector;
      one.ahead = shared(memory.name + "_ahead", memory.element, warps * depth());
      body.push_back({kernel::Array{one.ahead}});
      if (temporal_.held > 0) {
        one.held = shared(memory.name + "_held", memory.element,
                          warps * temporal_.steps * temporal_.held);
        one.held_at = context_.names.claim(memory.name + "_held_at");
        body.push_back({kernel::Array{one.held}});
      }
      stepped_.push_back(one);
    }
    for (Stepped& one : stepped_) {
      declare_at(one, body);
      if (one.held_at.empty()) continue;
      body.push_back({kernel::Note{"The same of a later time step, of which the last " +
                                   std::to_string(temporal_.held) +
                                   (temporal_.held == 1 ? " row is" : " rows are") + " held."}});
      body.push_back({cell_of_held(one)});
    }
  }

  void declare_at(Stepped& one, Body& body) {
    const std::string name = context_.stencil.fields[one.field].name;
    kernel::Local local;
    Names names = context_.names;
    std::vector<ExprPtr> at;
    for (const std::string& axis : context_.axes) {
      local.params.push_back(names.claim("cell_" + axis));
      at.push_back(kernel::var(local.params.back()));
    }
    if (std::optional<Places> places = places_anywhere(context_, one.field, 0, at, names)) {
      one.at = context_.names.claim(name + "_place");
      one.beyond = places->beyond;
      local.body = std::move(places->body);
      body.push_back({kernel::Note{"Where a cell of " + name +
                                   " is in memory, or what stands for it beyond the rim."}});
    } else {
      one.at = context_.names.claim(name + "_at");
      local.body = cell_anywhere(context_, one.field, 0, at, names);
      body.push_back({kernel::Note{"A cell of " + name +
                                   ", by its boundary where it lies beyond the rim."}});
    }
    local.name = one.at;
    body.push_back({std::move(local)});
  }

  // The row of the ring of held rows where row y of time step t+k is.
  ExprPtr held_row(const ExprPtr& y, const ExprPtr& k) const {
    ExprPtr row = kernel::add(kernel::mul(warp_, index(temporal_.steps)), k);
    if (temporal_.held == 1) return row;
    return kernel::add(kernel::mul(row, index(temporal_.held)),
                       kernel::bin(BinOp::mod, y, index(temporal_.held)));
  }

  // Beyond the ends of the marched axis alone: what lies beside a strip is the business of columns().
  kernel::Local cell_of_held(const Stepped& one) {
    kernel::Local local{one.held_at, {}, {}, ""};
    Names names = context_.names;
    for (const std::string& axis : context_.axes)
      local.params.push_back(names.claim("cell_" + axis));
    local.params.push_back(names.claim("k"));
    const ExprPtr x = kernel::var(local.params[0]), k = kernel::var(local.params[2]);
    const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>& at, bool, Names&,
                           Body&) -> ExprPtr {
      return kernel::make(
          one.held.element,
          kernel::Load{one.held, kernel::bin(BinOp::sub, x, strip_), held_row(at[1], k)});
    };
    local.body = cell_anywhere(context_, one.field, 0, {x, kernel::var(local.params[1])}, names,
                               fetch, 1);
    return local;
  }

  // Rows are copied ahead: each lane copies its own vector, and waits for no other.
  void declare_ahead(Body& body) {
    kernel::Local local{context_.names.claim("ask"), {}, {}, ""};
    Names names = context_.names;
    for (const char* param : {"row", "place"}) local.params.push_back(names.claim(param));
    const ExprPtr row = kernel::var(local.params[0]), place = kernel::var(local.params[1]);
    for (const Stepped& one : stepped_)
      local.body.push_back({kernel::AsyncCopy{
          one.ahead, ahead_row(place), own(), context_.levels[one.field][0],
          linear(context_, {x_, row}), schedule_.vector, kernel::both(whole_, in_rows(row)),
          one.at, {x_, row}, one.beyond}});
    local.body.push_back({kernel::Commit{}});
    ask_ = local.name;
    body.push_back({kernel::Note{"Each lane copies its vector of a row some rows ahead."}});
    body.push_back({std::move(local)});
  }
  ExprPtr ahead_row(const ExprPtr& place) const {
    return kernel::add(kernel::mul(warp_, index(depth())), place);
  }

  // What a time step keeps of the rows that arrived, the same inside and near the rim: rows, and
  // sums that rows are added to.
  void plan_registers() {
    std::vector<ir::ExprPtr> values = values_of(context_, false);
    for (const ir::ExprPtr& value : values_of(context_, true)) values.push_back(value);
    if (schedule_.scatter && keeps_memory())
      sums_ = sums_along(context_, values, 1, schedule_.vector, temporal_.steps, context_.names);
    if (!sums_.sums.empty() && sums_.high != temporal_.lag) sums_ = {};
    std::vector<ir::ExprPtr> read = sums_.sums.empty() ? values : sums_.others;
    const auto is_kept = [&](int field) { return is_stepped(field); };
    // A row waits until the last row of all fields has arrived that its cells read.
    std::set<int> fields;
    for (const ir::ExprPtr& node : ir::nodes_of(read))
      if (const auto* one = ir::as<ir::Read>(node);
          one && one->level == 0 && is_stepped(one->field))
        fields.insert(one->field);
    for (const int field : fields)
      read.push_back(ir::make(context_.stencil.fields[field].type,
                              ir::Read{field, 0, {0, temporal_.lag, 0}}));
    panes_ = panes_of(context_, read, patch_, context_.names, is_kept);
    for (Pane& pane : panes_)
      for (Pane::Plane& plane : pane.planes) plane.registers.rows = temporal_.steps;
    Patch arriving = patch_;
    arriving.axis = -1;
    arriving_ = panes_of(context_, sums_.taps, arriving, context_.names, is_kept);
    for (PlaneSum& sum : sums_.sums) sum.partials.back().rows = 1;
    inputs_ = std::any_of(context_.stencil.fields.begin(), context_.stencil.fields.end(),
                          [](const ir::Field& field) { return field.role == ir::Role::input; });
  }

  // Is what no statement of a step assigns the same at all steps, as it was in memory?
  bool keeps_memory() const {
    for (const plan::Stored& stored : context_.launch.stores)
      for (const ir::Case& one : context_.stencil.updates[stored.update].cases)
        if (one.domain.mask) return false;
    return true;
  }

  void march(Body& body) {
    Names& names = context_.names;
    const ExprPtr before = kernel::mul(steps_, index(temporal_.behind)),
                  lag = kernel::mul(steps_, index(temporal_.lag));
    for (const Pane& pane : panes_)
      for (int along = pane.low; along <= pane.high; ++along)
        body.push_back({kernel::Array{pane.plane(along).registers, true}});
    for (const PlaneSum& sum : sums_.sums)
      for (size_t n = 0; n + 1 < sum.partials.size(); ++n)
        body.push_back({kernel::Array{sum.partials[n], true}});
    const ir::Reach& margin = context_.launch.margin;
    body.push_back({kernel::Note{
        "Where nothing that a strip computes lies near the rim, no cell needs a check."}});
    const ExprPtr interior = declare(
        "interior_" + context_.axes[0],
        kernel::both(
            kernel::var(context_.aligned, kernel::Type::boolean),
            kernel::both(kernel::bin(BinOp::ge, strip_, index(margin.low[0])),
                         kernel::bin(BinOp::le,
                                     kernel::add(strip_, cells() + margin.high[0]), extent(0)))),
        names, body);
    const ExprPtr first =
        declare("first_row", kernel::bin(BinOp::sub, first_, before), names, body);
    const ExprPtr place = declare("place", index(0), names, body, true);
    const int asked = schedule_.ahead;
    for (int n = 0; n < asked; ++n)
      body.push_back({kernel::Perform{ask_, -1, {kernel::add(first, n), index(n)}}});
    For loop{For::plain, names.claim("n"), kernel::Type::index, first, kernel::add(behind_, lag),
             {},         nullptr,          nullptr};
    n_ = kernel::var(loop.name);
    place_ = place;
    Body& row = loop.body;
    row.push_back({kernel::Perform{
        ask_,
        -1,
        {kernel::add(n_, asked), pick(kernel::bin(BinOp::eq, place, index(0)), index(asked),
                                      kernel::add(place, -1))}}});
    row.push_back({kernel::Await{asked}});
    // From the first row on of which all that the steps read lies inside.
    const ExprPtr low = kernel::add(lag, margin.low[1] + 1);
    const ExprPtr high = kernel::add(extent(1), -std::max(0, margin.high[1] - temporal_.lag));
    rows_inside_ = declare("inside_" + context_.axes[1],
                           kernel::both(kernel::bin(BinOp::ge, n_, low),
                                        kernel::bin(BinOp::lt, n_, high)),
                           names, row);
    append(row, texts(interior));
    row.push_back({kernel::Assign{kernel::as<kernel::Var>(place)->name,
                                  pick(kernel::bin(BinOp::eq, place, index(asked)), index(0),
                                       kernel::add(place, 1))}});
    body.push_back({std::move(loop)});
  }

  // A row inside, one whose first or last cells lie near the rim, and one near the ends of the march:
  // one text, or three.
  Body texts(const ExprPtr& interior) {
    const ExprPtr inside = kernel::both(interior, rows_inside_);
    if (serves_both(context_) && !inputs_) {
      const std::string name = context_.names.claim("cells");
      context_.edge = context_.names.claim("edge");
      ends_ = context_.names.claim("ends");
      kernel::Twice twice{name, context_.edge, inside, one_row(true, true), edge_note(context_),
                          ends_, rows_inside_};
      context_.edge.clear();
      return {{std::move(twice)}};
    }
    kernel::If rows{rows_inside_, {}, one_row(true, true)};
    rows.yes.push_back({kernel::If{interior, one_row(false, false), one_row(true, false)}});
    return {{std::move(rows)}};
  }

  // A row arrives, goes through all time steps, and leaves.
  Body one_row(bool edges, bool ends) {
    edges_ = edges;
    near_ends_ = ends;
    Names names = context_.names;
    Body body;
    for (const Stepped& one : stepped_) {
      body.push_back({kernel::Array{one.row}});
      body.push_back({kernel::Copy{one.row, index(0), one.ahead, own(), schedule_.vector, 1,
                                   nullptr, ahead_row(place_)}});
    }
    For loop{For::unrolled, names.claim("k"), kernel::Type::index, index(0), steps_, {}, nullptr,
             nullptr};
    loop.body = one_step(kernel::var(loop.name), names);
    body.push_back({std::move(loop)});
    append(body, store(names));
    return body;
  }

  // Time step t+k+1: the row that arrived is one of t+k, the row that goes on `lag` rows back.
  Body one_step(const ExprPtr& k, Names names) {
    Body body;
    const ExprPtr behind =
        kernel::mul(kernel::add(k, 1), index(temporal_.lag));
    body.push_back({kernel::Let{context_.axes[1], kernel::bin(BinOp::sub, n_, behind)}});
    const ExprPtr y = kernel::var(context_.axes[1]);
    const ExprPtr arrived = kernel::add(y, temporal_.lag);
    const bool holds = near_ends_ && temporal_.held > 0;
    const ExprPtr later = kernel::both(edge(), k_is_later(k));
    const ExprPtr near_ends = kernel::both(
        ends_.empty() ? nullptr : kernel::var(ends_, kernel::Type::boolean), k_is_later(k));
    if (holds) hold(arrived, k, near_ends, body);
    for (const PlaneSum& sum : sums_.sums) body.push_back({kernel::Array{sum.partials.back()}});
    if (holds && temporal_.first_rows > 0) {
      const ExprPtr last =
          temporal_.first_rows == 1
              ? index(0)
              : declare("last",
                        pick(kernel::bin(BinOp::lt, extent(1), index(temporal_.first_rows)),
                             kernel::add(extent(1), -1), index(temporal_.first_rows - 1)),
                        names, body);
      const ExprPtr waits = kernel::both(
          near_ends, kernel::both(kernel::bin(BinOp::ge, arrived, index(0)),
                                  kernel::bin(BinOp::le, arrived, last)));
      body.push_back({kernel::Note{
          "The first rows wait for all that stand for rows before them, and go on with these."}});
      For loop{For::plain, names.claim("row"), kernel::Type::index,
               pick(waits,
                    pick(kernel::bin(BinOp::eq, arrived, last), index(-temporal_.behind),
                         kernel::add(arrived, 1)),
                    arrived),
               kernel::add(arrived, 1), {}, nullptr, nullptr};
      loop.body = arrive(kernel::var(loop.name), y, k, later, near_ends, names);
      body.push_back({std::move(loop)});
    } else {
      append(body, arrive(arrived, y, k, later, holds ? near_ends : nullptr, names));
    }
    append(body, compute(y, k, names));
    return body;
  }

  static ExprPtr k_is_later(const ExprPtr& k) { return kernel::bin(BinOp::gt, k, index(0)); }

  // The row waits for rows that it stands for.
  void hold(const ExprPtr& row, const ExprPtr& k, const ExprPtr& near_ends, Body& body) const {
    kernel::If inside{in_rows(row), {}, {}};
    for (const Stepped& one : stepped_)
      inside.yes.push_back({kernel::Copy{one.held, own(), one.row, index(0), schedule_.vector, 1,
                                         held_row(row, k), nullptr}});
    inside.condition = kernel::both(near_ends, inside.condition);
    body.push_back({std::move(inside)});
  }

  // What a time step keeps takes in the row. `later`: near the rim, of a later time step than t;
  // `near_ends`: and near the ends of the march (null: nothing is held).
  Body arrive(const ExprPtr& row, const ExprPtr& y, const ExprPtr& k, const ExprPtr& later,
              const ExprPtr& near_ends, Names names) {
    Body body;
    if (near_ends) {
      kernel::If rim{near_ends, {}, {}};
      for (const Stepped& one : stepped_)
        rim.yes.push_back({kernel::Fill{{one.row, index(0), one.held, own(), schedule_.vector, 1,
                                         nullptr, held_row(row, k)},
                                        in_rows(row),
                                        one.held_at,
                                        {x_, row, k}}});
      body.push_back({std::move(rim)});
    }
    for (const Pane& pane : panes_) {
      for (const Run& run : runs_moved(pane)) {
        const Pane::Plane &from = pane.plane(run.along), &to = pane.plane(run.along - 1);
        const Span span = cells_of(pane, run, patch_);
        body.push_back({kernel::Copy{to.registers, index(span.low - to.cell), from.registers,
                                     index(span.low - from.cell), span.high - span.low, 1, k, k}});
      }
      take(pane, y, k, later, names, body);
    }
    for (const Pane& pane : arriving_) {
      body.push_back({kernel::Array{pane.plane(0).registers}});
      take(pane, y, nullptr, later, names, body);
    }
    if (sums_.sums.empty()) return body;
    For loop = unrolled(names.claim("v"), 0, schedule_.vector);
    const ExprPtr v = kernel::var(loop.name);
    Names inner = names;
    Cell cell(
        context_, {kernel::add(x_, v), y},
        [&](const ir::Read& read) {
          ir::Read here = read;
          here.offset[1] = 0;
          Patch arriving = patch_;
          arriving.axis = -1;
          return kept(arriving_, here, arriving, index(0), v);
        },
        inner, loop.body);
    add_plane(sums_, k, v, cell, loop.body);
    body.push_back({std::move(loop)});
    return body;
  }

  // The newest plane of a pane takes the row; what lies beside it comes from other lanes, when it
  // is first read.
  void take(const Pane& pane, const ExprPtr& y, const ExprPtr& k, const ExprPtr& later,
            const Names& names, Body& body) {
    const auto field = std::find_if(stepped_.begin(), stepped_.end(),
                                    [&](const Stepped& one) { return one.field == pane.field; });
    const Pane::Plane& newest = pane.plane(pane.high);
    const auto row_of = [&](const Pane::Plane& plane) {
      return plane.registers.rows > 1 ? k : nullptr;
    };
    body.push_back({kernel::Copy{newest.registers, index(-newest.cell), field->row, index(0),
                                 schedule_.vector, 1, row_of(newest), nullptr}});
    for (const Run& run : runs_at_each(pane)) {
      const Span span = cells_of(pane, run, patch_);
      const int left = -std::min(span.low, 0), right = std::max(span.high - schedule_.vector, 0);
      if (left + right == 0) continue;
      const Pane::Plane& plane = pane.plane(run.along);
      kernel::Sides sides;
      sides.to = plane.registers;
      sides.own = index(-plane.cell);
      sides.row = row_of(plane);
      sides.width = schedule_.vector;
      sides.left = left;
      sides.right = right;
      body.push_back({sides});
      if (edges_)
        columns(pane, sides, kernel::add(y, run.along == 0 ? 0 : run.along), later, names, body);
    }
  }

  // What stands beside the first and the last cell of a row. Of t that is in memory.
  void columns(const Pane& pane, const kernel::Sides& sides, const ExprPtr& y,
               const ExprPtr& later, const Names& names, Body& body) {
    kernel::If rim{later, {}, {}};
    const auto place = [&](const ExprPtr& cell) { return kernel::add(sides.own, cell); };
    const auto& ends = context_.stencil.fields[pane.field].boundary.sides[0];
    const auto beyond = [&](int end, int distance, const ExprPtr& last, Names& inner, Body& to) {
      const plan::Beyond kind = plan::beyond(ends[end]);
      const int back = kind == plan::Beyond::next    ? distance
                       : kind == plan::Beyond::again ? distance - 1
                                                     : 0;
      const ExprPtr source = kernel::add(last, end == 0 ? back : -back);
      const ExprPtr ghost = end == 0 ? index(-distance) : kernel::add(extent(0), distance - 1);
      const auto fetch = [&](const ir::Read&, const std::vector<ExprPtr>&, bool, Names&,
                             Body&) -> ExprPtr {
        return kernel::make(sides.to.element, kernel::Load{sides.to, place(source), sides.row});
      };
      EdgeTaps taps(context_, {ghost, y}, {end == 0 ? -1 : 1, 0, 0}, inner, to, fetch);
      const ExprPtr value = taps(ir::Read{pane.field, pane.level, {}});
      const ExprPtr at = place(kernel::add(last, end == 0 ? -distance : distance));
      to.push_back({kernel::Store{sides.to, at, value, sides.row}});
    };
    if (plan::is_open(ends[0]) && sides.left > 0) {
      kernel::If first{kernel::bin(BinOp::eq, x_, index(0)), {}, {}};
      Names inner = names;
      for (int d = 1; d <= sides.left; ++d) beyond(0, d, index(0), inner, first.yes);
      rim.yes.push_back({std::move(first)});
    }
    if (plan::is_open(ends[1]) && sides.right > 0) {
      Names inner = names;
      For loop = unrolled(inner.claim("v"), 0, schedule_.vector);
      const ExprPtr v = kernel::var(loop.name);
      kernel::If last{
          kernel::bin(BinOp::eq, kernel::add(x_, v), kernel::add(extent(0), -1)), {}, {}};
      for (int d = 1; d <= sides.right; ++d) beyond(1, d, v, inner, last.yes);
      loop.body.push_back({std::move(last)});
      rim.yes.push_back({std::move(loop)});
    }
    if (!rim.yes.empty()) body.push_back({std::move(rim)});
  }

  // The row that goes on.
  Body compute(const ExprPtr& y, const ExprPtr& k, Names names) {
    Body body;
    For loop = unrolled(names.claim("v"), 0, schedule_.vector);
    const ExprPtr v = kernel::var(loop.name);
    for (const PlaneSum& sum : sums_.sums) {
      const kernel::Buffer& made = sum.partials.back();
      context_.at_hand[context_.numbering.id(sum.expr)] =
          kernel::make(made.element, kernel::Load{made, v, nullptr});
    }
    std::vector<ExprPtr> at = {kernel::add(x_, v), y};
    ExprPtr inside;
    for (int a = 0; a < 2 && edges_; ++a) {
      if (wraps(a)) {
        at[a] = declare("at_" + context_.axes[a],
                        kernel::call(kernel::Type::index, kernel::Fn::wrap, {at[a], extent(a)}),
                        names, loop.body);
        continue;
      }
      inside = kernel::both(inside, kernel::both(kernel::bin(BinOp::ge, at[a], index(0)),
                                                 kernel::bin(BinOp::lt, at[a], extent(a))));
    }
    const ExprPtr i = declare("i", linear(context_, at), names, loop.body);
    const Cell::Tap tap = [&](const ir::Read& read) -> ExprPtr {
      if (read.level != 0 || !is_stepped(read.field)) return nullptr;
      if (const ExprPtr value = kept(panes_, read, patch_, k, v)) return value;
      return interior_tap(context_, at, i, read);  // never assigned: as it was at t
    };
    const Sink sink = [&](int field, const ExprPtr& value, bool) {
      const auto one = std::find_if(stepped_.begin(), stepped_.end(),
                                    [&](const Stepped& some) { return some.field == field; });
      return kernel::Stmt{kernel::Store{one->row, v, value, nullptr}};
    };
    if (edges_) {
      Body cell;
      edge_cell(context_, at, i, names, cell, tap, sink);
      if (inside && touch_memory(context_, cell))
        cell = {{kernel::If{near_rim(context_, inside), std::move(cell), {}}}};
      append(loop.body, std::move(cell));
    } else {
      const Cell::Tap or_load = [&](const ir::Read& read) {
        const ExprPtr value = tap(read);
        return value ? value : interior_tap(context_, at, i, read);
      };
      interior_cell(context_, at, or_load, sink, names, loop.body);
    }
    context_.at_hand.clear();
    body.push_back({std::move(loop)});
    return body;
  }

  Body store(Names names) {
    Body body;
    const ExprPtr row = declare(
        "row", kernel::bin(BinOp::sub, n_, kernel::mul(steps_, index(temporal_.lag))), names, body);
    kernel::If own_cells{kernel::both(stores_, kernel::bin(BinOp::ge, row, first_)), {}, {}};
    const ExprPtr i = declare("i", linear(context_, {x_, row}), names, own_cells.yes);
    for (const Stepped& one : stepped_) {
      const kernel::Copy copy{context_.targets[one.field], i,       one.row, index(0),
                              schedule_.vector,            1,       nullptr, nullptr};
      if (edges_)
        own_cells.yes.push_back({kernel::StoreRow{copy, near_rim(context_, whole_),
                                                  kernel::bin(BinOp::sub, extent(0), x_)}});
      else
        own_cells.yes.push_back({copy});
    }
    body.push_back({std::move(own_cells)});
    return body;
  }

  Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const Patch patch_;
  std::vector<Stepped> stepped_;
  std::string ask_;
  bool inputs_ = false;  // does the stencil read fields that no step makes?
  bool edges_ = false, near_ends_ = false;
  std::string ends_;         // the flag of text that serves all: is a row near the ends of the march?
  std::vector<Pane> panes_;  // rows that are kept
  PlaneSums sums_;
  std::vector<Pane> arriving_;  // what the sums read
  ExprPtr steps_, lane_, warp_, strip_, x_, first_, behind_, whole_, stores_, n_, place_,
      rows_inside_;
};

}  // namespace

Body lower_leap(Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
                kernel::Launch& launch) {
  return Leap(context, schedule, temporal).run(launch);
}

}  // namespace stencilc::lower
