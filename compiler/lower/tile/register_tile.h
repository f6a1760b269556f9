// What a thread keeps in registers of the cells it reads: whole vectors of `width` neighbouring
// cells, in all rows that its own cells need, which serve all of them, and along the streamed axis
// its next cells, too.
//
// A thread computes the cells 0 .. width-1 of the rows 0 .. rows-1. Vector q of a row holds the
// cells q*width .. q*width + width-1, so that u[x-1] of four cells lies in vectors -1 and 0. Where
// they come from other lanes, vector -1 stands for as many cells before vector 0 as are read, and
// vector 1 for those after it; a thread then has vector 0 of a row wherever it has these.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "lower/cell/cell.h"

namespace stencilc::lower {

struct Patch {
  kernel::Count width = 1, rows = 1;
  int axis = -1;       // the streamed axis, -1: none; not x, and not y where there are several rows
  bool lanes = false;  // what lies beside a vector comes from other lanes of the warp
};

struct Span {
  int low = 0, high = 0;
};

// The planes of one field that lie in a line along the streamed axis; without one, one plane. When
// the thread moves on, plane `low` is dropped, plane low+1 becomes plane low, and so on. Where
// there are several rows a plane holds all that are read; otherwise each row read is a register
// tile of its own.
struct RegisterTile {
  struct Plane {
    kernel::Buffer registers;
    int row = 0, cell = 0;  // what they begin with, as offsets from the thread's first cell
    kernel::Count own;      // where the thread's first cell lies in a row of them
  };
  int field = 0, level = 0;
  ir::Offset offset = {};  // of the plane at 0: nothing along x, the streamed axis, and y with rows
  int low = 0, high = 0;   // the planes that are read
  std::map<std::pair<int, int>, Span> vectors;  // by row and vector: the planes of which it is read
  Span cells, rows;                             // offsets of reads along x, and along y with rows
  bool lanes = false;                           // as in the Patch
  std::vector<Plane> planes;                    // from `low` on

  const Plane& plane(int along) const { return planes[along - low]; }
};

// Where a vector lies in a row of the plane's registers.
kernel::Count place_of(const RegisterTile::Plane& plane, int vector, const Patch& patch);

// Neighbouring vectors in neighbouring rows of one plane.
struct Run {
  int along = 0;
  int row = 0, rows = 1;      // from `row` on
  int vector = 0, count = 0;  // from `vector` on
  bool own = true;            // with lanes: is vector 0 one of them?
};

// Its first row, and after its last one.
kernel::Count first_of(const Run& run, const Patch& patch);
kernel::Count end_of(const Run& run, const Patch& patch);
// The cells of a run, as offsets from the thread's first one: low .. high-1.
Span cells_of(const RegisterTile& regs, const Run& run, const Patch& patch);

// The register tiles of the fields on all axes that the values read, of what is in memory when the
// launch starts. Names of the registers come from `names`. `of`: of these reads alone.
std::vector<RegisterTile> register_tiles_of(
    const Context& context, const std::vector<ir::ExprPtr>& values, const Patch& patch,
    Names& names, const std::function<bool(const ir::Read& read)>& of = nullptr);

// The vectors that are in no register yet: before the thread's first cell, and before each.
std::vector<Run> runs_before(const RegisterTile& regs);
std::vector<Run> runs_at_each(const RegisterTile& regs);
// Those of runs_at_each that later cells read again, and those that only the one in work reads.
std::vector<Run> runs_carried(const RegisterTile& regs);
std::vector<Run> runs_read_once(const RegisterTile& regs);
// The vectors that the plane below takes over when the thread moves on.
std::vector<Run> runs_moved(const RegisterTile& regs);

// The value of a read of the thread's cell v of row r; null where no register tile holds it.
kernel::ExprPtr register_value(const std::vector<RegisterTile>& tiles, const ir::Read& read,
                               const Patch& patch, const kernel::ExprPtr& r,
                               const kernel::ExprPtr& v);

}  // namespace stencilc::lower
