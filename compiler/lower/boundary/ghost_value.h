// The value that a read gives where it leaves the grid, by the boundary of its field.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ir/boundary.h"
#include "lower/cell/addressing.h"

namespace stencilc::lower {

// Is a cell beyond one end of the axis what it is beyond the other, so that it is no matter which?
bool is_one(const ir::Boundary& boundary, int axis);

// Reads of a cell of the grid near the boundary, each by the boundary of its field. What the reads
// share (a clamped row, a test) is computed once.
class EdgeTaps {
 public:
  // What stands at the coordinates `at` of the field of a read, in the type it has in memory. They
  // are inside the grid, or in the halo of a `ghost` side; `moved`: they are not the cell's own
  // plus the offset. Statements it needs go to the body.
  using Fetch =
      std::function<kernel::ExprPtr(const ir::Read& read, const std::vector<kernel::ExprPtr>& at,
                                    bool moved, Names& names, kernel::Body& body)>;

  // Without a fetch, a load from the buffer of the read.
  EdgeTaps(const Context& context, std::vector<kernel::ExprPtr> at, kernel::ExprPtr i, Names& names,
           kernel::Body& body, Fetch fetch = nullptr)
      : context_(context),
        at_(std::move(at)),
        i_(std::move(i)),
        names_(names),
        body_(body),
        fetch_(std::move(fetch)) {}

  // The same for statements that follow in a scope within that of `outer`, with what that has.
  EdgeTaps(const EdgeTaps& outer, Names& names, kernel::Body& body)
      : context_(outer.context_),
        at_(outer.at_),
        i_(outer.i_),
        names_(names),
        body_(body),
        fetch_(outer.fetch_),
        outside_(outer.outside_),
        anywhere_(outer.anywhere_),
        known_(outer.known_),
        constants_(outer.constants_),
        places_(outer.places_) {}

  // Reads without an offset of a place that may itself lie outside the grid: along each axis below
  // 0 (-1), at the extent or above (1), or either where both sides are one (see is_one). Where no
  // read crosses a side, some cell inside stands for those beyond it. kBelow and kAbove: it does
  // lie there, and there is no test.
  static constexpr int kEither = 2, kBelow = -2, kAbove = 3;
  static constexpr int outside(int end) { return end == 0 ? kBelow : kAbove; }
  EdgeTaps(const Context& context, std::vector<kernel::ExprPtr> at, std::array<int, 3> outside,
           Names& names, kernel::Body& body, Fetch fetch = nullptr)
      : EdgeTaps(context, at, linear_of_any(context, at), names, body, std::move(fetch)) {
    outside_ = outside;
  }

  // Reads of a place that may lie anywhere, at any offset from it. The boundary of their fields is
  // one along each axis (see is_one).
  static EdgeTaps anywhere(const Context& context, std::vector<kernel::ExprPtr> at, Names& names,
                           kernel::Body& body) {
    EdgeTaps taps(context, std::move(at), {kEither, kEither, kEither}, names, body);
    taps.anywhere_ = true;
    return taps;
  }

  kernel::ExprPtr operator()(const ir::Read& read);

 private:
  // What becomes of the coordinate of a read along one axis.
  struct Bend {
    kernel::ExprPtr ghost;  // where the index maps end: outside the grid where `has` is false
    kernel::ExprPtr
        at;  // what is read: `ghost`, or the cell at the boundary, of which distance makes it
    bool moved = false;              // `at` is not the cell's coordinate plus the offset
    kernel::ExprPtr flips;           // does the value change its sign? Null: never
    kernel::ExprPtr has;             // is `ghost` inside? Null: always, or its halo is read
    const ir::Side* side = nullptr;  // where it is not: the one that has a value
    int end = 0;                     // and which end that is
    bool outside = false;            // `ghost` is surely not inside, and there is no `has`
  };
  using Bends = std::vector<Bend>;  // by axis

  kernel::ExprPtr name(const std::string& wanted, const kernel::ExprPtr& value, Names& names,
                       kernel::Body& body);
  template <class Make>
  kernel::ExprPtr share(const char* wanted, std::array<ir::Edge, 2> edges, int axis, int offset,
                        const Make& value);
  kernel::ExprPtr mapped(std::array<ir::Edge, 2> edges, int axis, int offset);
  Bend bend(const ir::Boundary& boundary, int axis, int offset);
  kernel::ExprPtr load(const ir::Read& read, const Bends& bends, Names& names, kernel::Body& body);
  kernel::ExprPtr value_of(const ir::Read& read, const Bends& bends, size_t axis, Names& names,
                           kernel::Body& body);
  kernel::ExprPtr place_of(int field, const ir::Offset& offset, const Bends& bends,
                           const std::vector<kernel::ExprPtr>& at);
  std::string name_of(const ir::Read& read) const;
  kernel::ExprPtr changed(const ir::Read& read, const Bends& bends, size_t axis,
                          kernel::ExprPtr value, Names& names, kernel::Body& body);
  kernel::ExprPtr flipped(const ir::Read& read, const Bend& bend, kernel::ExprPtr value,
                          Names& names, kernel::Body& body);
  kernel::ExprPtr bent(const ir::Read& read, const Bends& bends, size_t axes, kernel::ExprPtr value,
                       Names& names, kernel::Body& body);
  kernel::ExprPtr held(const ir::Read& read, const Bends& bends, size_t axis);
  kernel::ExprPtr stopped(const ir::Read& read, const Bends& bends);

  const Context& context_;
  std::vector<kernel::ExprPtr> at_;
  kernel::ExprPtr i_;
  Names& names_;
  kernel::Body& body_;
  Fetch fetch_;
  std::array<int, 3> outside_ = {};
  bool anywhere_ = false;
  int field_ = 0;  // of the read in work
  std::map<std::tuple<std::string, std::array<ir::Edge, 2>, int, int>, kernel::ExprPtr> known_;
  std::map<std::pair<int, ir::Type>, kernel::ExprPtr> constants_;  // by number and type in memory
  // Of ghost cells of temporaries: by their widths, the offset, and where it was mapped.
  std::map<std::tuple<ir::Offset, ir::Offset, std::array<const kernel::Expr*, 3>>, kernel::ExprPtr>
      places_;
};

// A ghost cell so far beyond an end of an axis, of a line whose last cell at that end is at hand.
struct GhostCell {
  int axis, end, distance;

  int outside() const { return EdgeTaps::outside(end); }
  // Its place, counted from the last cell.
  int place() const { return end == 0 ? -distance : distance; }
  // The place of the cell that stands for it, by the boundary.
  int source(const ir::Boundary& boundary) const {
    const int back = ir::kind_of(boundary.sides[axis][end]).inward(distance);
    return end == 0 ? back : -back;
  }
  // Declares its coordinate.
  kernel::ExprPtr coordinate(const Context& context, Names& names, kernel::Body& body) const;
};

// The value of a read at `at`, which lies `outside` along the one axis (see EdgeTaps); `source` is
// the cell that stands for it. All that fills ghost cells in registers asks here.
kernel::ExprPtr ghost_value(const Context& context, const ir::Read& read,
                            std::vector<kernel::ExprPtr> at, int axis, int outside,
                            const kernel::ExprPtr& source, Names& names, kernel::Body& body);

}  // namespace stencilc::lower
