// What a block does with a plane that arrives, when it takes several time steps of a stencil with
// three axes.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "lower/boundary/unassigned_cells.h"
#include "lower/context/build.h"
#include "lower/temporal/common/carried_rows.h"
#include "lower/temporal/common/temporal_tile.h"
#include "lower/temporal/stream_3d/plane_boundary.h"
#include "lower/tile/register_tile_load.h"

namespace stencilc::lower {

// Where a block is in its stream.
struct PlanePosition {
  kernel::ExprPtr steps;   // of the launch
  kernel::ExprPtr n;       // the plane of t that arrives
  kernel::ExprPtr parity;  // of the two in which warps exchange rows
};

// Where the flag holds, if there is one.
inline void append_where(const kernel::ExprPtr& flag, kernel::Body from, kernel::Body& to) {
  if (!flag || from.empty()) return append(to, std::move(from));
  to.push_back({kernel::If{flag, std::move(from), {}}});
}

// A thread's row of t-1, by field.
using Before = std::map<int, kernel::Buffer>;

class PlaneSteps {
 public:
  // When the tile is laid out.
  PlaneSteps(const Context& context, const plan::Schedule& schedule, const plan::Temporal& temporal,
             TemporalTile& tile);

  void declare_registers(kernel::Body& body) const;
  // Planes before the last one of the grid that have to pass as they are.
  int passing() const;
  // The statements of a plane. `edges`: near the boundary in x or y, too. `ends`: and near the ends
  // of the stream.
  kernel::Body plane_body(const PlanePosition& at, bool edges, bool ends, const PlaneFlags& flags);

 private:
  kernel::ExprPtr extent(int axis) const { return context_.box.extent(axis); }
  Keeping how_kept(bool alike) const;
  bool passes() const { return keeping_ == Keeping::passing; }
  bool is_stepped(int field) const;
  kernel::ExprPtr row_at(const kernel::ExprPtr& k, const kernel::ExprPtr& r) const;
  kernel::ExprPtr plane_of(const kernel::ExprPtr& k) const;
  PartialAt partials(const kernel::ExprPtr& k, const kernel::ExprPtr& r) const;
  kernel::For over(const std::string& wanted, const kernel::ExprPtr& last, Names& names) const;
  template <class Make>
  void over_rows(Names names, kernel::Body& body, const Make& make) const {
    kernel::For loop = unrolled(names.claim("r"), 0, tile_.layout.warp_rows());
    make(kernel::var(loop.name), names, loop.body);
    body.push_back({std::move(loop)});
  }
  Cell::Tap arriving_tap(const std::vector<RegisterTile>& tiles, const Before& before,
                         const kernel::ExprPtr& r, const kernel::ExprPtr& v) const;
  void gather(const RegisterTile& regs, const kernel::ExprPtr& k, const kernel::ExprPtr& z,
              Names& names, kernel::Body& body);
  kernel::Sides sides_of(const RegisterTile& regs, const Run& run) const;
  void surround(const RegisterTile& regs, bool skip_halo, const kernel::ExprPtr& z,
                const Names& names, kernel::Body& body) const;
  void add_planes(const CellContext& here, const kernel::ExprPtr& k, Names& names,
                  kernel::Body& body);
  void add(const CellContext& here, const std::vector<RegisterTile>& tiles,
           const kernel::ExprPtr& k, const kernel::ExprPtr& z, int end, const Names& names,
           kernel::Body& body);
  void pass_own(const std::vector<RegisterTile>& tiles, const kernel::ExprPtr& k,
                const kernel::ExprPtr& z, const Names& names, kernel::Body& body);
  void recall(const kernel::ExprPtr& k, const kernel::ExprPtr& z, Names names,
              kernel::Body& body) const;
  kernel::Body recall_columns(const kernel::ExprPtr& next, const kernel::ExprPtr& came,
                              Names names) const;
  // Of fields that are read at t-1, too: declares row r of the plane of t+k-1 that began to wait so
  // many planes before; the plane of t+k that came last begins to wait.
  Before take_before(const std::set<int>& fields, int planes, const kernel::ExprPtr& k,
                     const kernel::ExprPtr& r, Names& names, kernel::Body& body) const;
  void let_wait(const kernel::ExprPtr& k, const Names& names, kernel::Body& body) const;
  void add_to_row(const CellContext& here, const std::vector<RegisterTile>& tiles,
                  const kernel::ExprPtr& k, const kernel::ExprPtr& r, const kernel::ExprPtr& z,
                  int end, Names names, kernel::Body& body);
  void complete(const CellContext& here, const kernel::ExprPtr& k, const kernel::ExprPtr& newest,
                Names& names, kernel::Body& body);
  void exchange(const kernel::ExprPtr& next, kernel::Body& body) const;
  void carry_cells(const kernel::ExprPtr& k, Names& names, kernel::Body& body) const;
  void compute(CellContext here, const kernel::ExprPtr& k, const kernel::ExprPtr& r,
               const kernel::ExprPtr& v, const kernel::ExprPtr& z, const Before& before,
               Names& names, kernel::Body& body);
  void store(const Names& names, kernel::Body& body);
  void store_level(const kernel::ExprPtr& k, const kernel::ExprPtr& z,
                   const kernel::ExprPtr& own_planes, bool earlier, const Names& names,
                   kernel::Body& body);

  const Context& context_;
  const plan::Schedule& schedule_;
  const plan::Temporal& temporal_;
  const Patch patch_;
  TemporalTile& tile_;
  const PlaneBoundary boundary_;
  CarriedRows carried_;
  // The fields whose cell at t-1 the sums add, and those that are read when these are complete.
  std::set<int> before_in_sums_, before_at_end_;
  int planes_ = 0;         // that sums add
  bool in_place_ = false;  // are sums that lack one plane in the registers of what they will be?
  Keeping keeping_ = Keeping::by_cell;  // how cells that no step assigns keep their values
  // Of the variant in work.
  PlanePosition at_;
  bool edges_ = false, near_ends_ = false;
  PlaneFlags flags_;
};

}  // namespace stencilc::lower
