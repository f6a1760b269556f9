// The kernel IR: how a step is computed. Nothing here knows what a stencil is.
//
// Expressions (expr.h) are immutable and shared; statements are values in vectors that can be
// spliced.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/expr.h"

namespace stencilc::kernel {

// ---- statements ----

struct Stmt;
using Body = std::vector<Stmt>;

struct Let {  // const TYPE name = value;  or, where mutable_, a variable that Assign changes
  std::string name;
  ExprPtr value;
  bool mutable_ = false;
};
struct Assign {
  std::string name;
  ExprPtr value;
};
struct Store {
  Buffer buffer;
  ExprPtr at;
  ExprPtr value;
  ExprPtr row;
};
// Folds `value` over the 32 cells of a row that a warp holds, in the tree of docs/language.md, and
// stores the result for row `row`. All lanes of the warp reach it; beyond the row's `extent` a
// value is the identity. x mod 32 is the lane.
struct Combine {
  Buffer buffer;
  Fold fold = Fold::sum;
  ExprPtr value, x, extent, row;
};
// Declares a thread's own array, or its block's; not set yet, or all zero. `place`: it is so many
// bytes into the kernel's `shared` ones; below 0 it is in none of them.
struct Array {
  Buffer buffer;
  bool zeros = false;
  Count place = -1;
};
// Makes of 32 cells the words of their lowest bits, as many as `bits` has, or cells of these.
struct Transpose {
  Buffer cells, bits;
  bool to_cells = false;
};
// Begins to copy `width` values from device memory into the block's shared memory, as vectors where
// `whole` holds. Where it does not, without `local` one by one: they follow each other, at any
// address; with `pitch` so of several rows, which are `pitch` apart. If `there` does not hold
// (null: it does) all of them are `beyond` instead. With `local`: value n is by a Local, called
// with at[0] + n and the others of `at`: the one of the place that the Local gives, or, where that
// is below 0, `beyond`; without `beyond` it gives the value. Commit makes a group of what a thread
// began to copy; Await waits for all but the youngest `pending`.
struct AsyncCopy {
  Buffer to, from;
  ExprPtr to_row, to_at, from_at;
  Count width = 1, rows = 1;
  ExprPtr pitch, whole;
  std::string local;
  std::vector<ExprPtr> at;
  ExprPtr ghost, there;
  ExprPtr follow;  // with `local`, where `whole` does not hold: do they follow each other? Null: no
};
struct Commit {};
struct Await {
  int pending;
};
struct Follow {};  // waits for the launches before, if the kernel begins `early`
struct Meet {};    // waits for all threads of the block; what these have written is there
// Counts, for the neighbours of a window, that the planes at its low end are stored (stencil/
// device_borders.h): once a block, or once a warp.
struct CountLowEnd {
  bool block;
};
// Copies width * count neighbouring values. Between device memory and registers by accesses of
// `width` values, 16 bytes at most, at multiples of so many. Between registers one by one.
struct Copy {
  Buffer to;
  ExprPtr to_at;
  Buffer from;
  ExprPtr from_at;
  Count width = 1;
  int count = 1;
  ExprPtr to_row, from_row;
};
// Gives value n of the copy's target, from its place on: by the copy where `whole` holds, otherwise
// by a Local, called with at[0] + n and the others of `at`.
struct Fill {
  Copy copy;
  ExprPtr whole;
  std::string cell;
  std::vector<ExprPtr> at;
  // Of the copy those vectors that lie in a row of so many cells, where `whole` holds; null: all.
  ExprPtr extent = nullptr;
  ExprPtr edge = nullptr;  // `whole` is asked where this holds, and holds elsewhere; null: asked
};
// Gives registers `width` values by a Local, called with at[0] + n and the others of `at` for the
// n-th.
struct FillCells {
  Buffer to;
  ExprPtr to_row, to_at;
  std::string cell;
  std::vector<ExprPtr> at;
  int width = 1;
};
// Gives a thread's array the `left` values before its `width` own ones, which it has, and the
// `right` ones after them: from other lanes of the warp, as Beside. `own` is the first own one, in
// memory `from` of a Copy, where the lanes at the ends of the warp load what they lack; without a
// name they get what does not matter.
struct Sides {
  Buffer to;
  ExprPtr own, row;
  Buffer from;
  ExprPtr from_at;
  Count width = 1;
  int left = 0, right = 0;
  // Where `edge` holds lanes need not be there; null: everywhere, if there is a `cell`. Then they
  // come by loads where `whole` holds, and otherwise from a Local, called with at[0] + n and the
  // others of `at` for value n from the first own one on.
  ExprPtr edge, whole;
  std::string cell;
  std::vector<ExprPtr> at;
};
// Gives registers the vectors first .. first+count-1 of a row, vector 0 of which begins at x.
// Where `edge` holds (null: everywhere) vector 0 is loaded as such, if `whole` holds; and of
// several vectors each that lies in the row, which has `extent` cells. All else comes cell by cell.
// By Locals: row(y, z) gives the place of the row's cell 0, or, below 0, tells that the row lies
// outside the grid; cell(place, x) gives a cell of it.
struct FillRow {
  Buffer to;
  ExprPtr to_row, to_at;
  Buffer from;
  ExprPtr x;
  std::vector<ExprPtr> at;  // y, z
  std::string row, cell;
  ExprPtr whole, edge;
  ExprPtr extent;  // null: it is one vector
  Count width = 1;
  int first = 0, count = 1;
};
// The copy of registers to memory where `whole` holds; otherwise of the first `limit` values.
struct StoreRow {
  Copy copy;
  ExprPtr whole, limit;
  ExprPtr edge = nullptr;  // as in Fill
};
// A function of indices for the statements after it. All ways through its body end in a Return, or
// none does and it is called by Perform.
struct Local {
  std::string name;
  std::vector<std::string> params;
  Body body;
  std::string flag;  // its first argument, a constant when the kernel is compiled; empty: none
};
struct Perform {
  std::string local;
  int flag = -1;  // where it takes one: is it true?
  std::vector<ExprPtr> args;
  std::string flag_of;  // or is it this constant?
};
struct Return {
  ExprPtr value;
};
// Variants of a body that differ in flags, constants when the kernel is compiled. All flags are
// false where the condition holds; elsewhere the first of `cases` whose condition holds gives
// them, and otherwise all are true. A condition is the same in all threads of a block, or of a warp
// if the body has no barrier.
struct Variants {
  std::string name, flag;
  ExprPtr condition;
  Body body;
  std::string note;  // on what runs where no condition holds
  std::vector<std::string> further = {};
  std::vector<std::pair<ExprPtr, std::vector<bool>>> cases = {};
  // All conditions but the last also require this. Where the last one holds and this does not,
  // `flag` is false and values move one by one instead of as vectors. Null: this always holds.
  ExprPtr aligned = nullptr;
  // Is it a function in front of the kernel, so that each variant has registers of its own? It is
  // given the kernel's arguments, for some of them other variables, and these variables.
  bool apart = false;
  std::vector<std::string> takes = {};
  bool counts = false;  // and the counter of the kernel's partition
  std::map<std::string, std::string> instead = {};
};
// Declares what the kernel's `partition` gives a warp that streams: the number of its tile along x,
// and its rows. Or what it gives a block: the numbers of its tile along x and y, and its planes.
struct Part {
  ExprPtr part, rows;  // without `rows` of a block
  std::string tile_x, tile_y, first, end;
  // Of a window that begins at `origin`: where its low end ends, for those that stream from there
  // on.
  std::string low_end = {};
  ExprPtr origin = nullptr;
};
// The body, in which Fn::quotient and its kin give what they do for ordinary numbers. Where any of
// its operands is rare it runs once more, and they give what they do for all: it writes nothing
// that it reads.
struct FastDivision {
  Body body;
};
// See ring.h. A Ring is declared once; a Source, which fills it, after the functions it calls; a
// Stage comes to pass in all threads of the block at once, for n = 0, 1, ...
struct Ring;
using RingPtr = std::shared_ptr<const Ring>;
struct Source {
  RingPtr ring;
  bool boundary = false;  // may anything lie outside the grid?
  ExprPtr edge;           // where this holds; null: always
};
struct Stage {
  RingPtr ring;
  ExprPtr n;
  // Names for planes of the stage, and of so many stages before.
  struct Plane {
    Buffer buffer;
    int grid = 0, back = 0;
  };
  std::vector<Plane> planes;
  bool boundary = false;  // as in the Source
  ExprPtr edge;
};
struct StageEnd {  // of a stage of boxes with a boundary, or of one that producers have filled
  RingPtr ring;
  ExprPtr n, edge;
};
// for (TYPE name = first; name < last; ++name), or a chain. No `first`: a variable goes on.
struct For {
  // rolled: no compiler unrolls it; paired, tripled: two or three passes at once; parallel: on all
  // cores; parallel_2: together with those of the loop inside it; vectorised: in vector lanes
  enum Mark : uint8_t {
    plain,
    unrolled,
    rolled,
    paired,
    vectorised,
    parallel,
    parallel_2,
    parallel_vectorised,
    tripled
  } mark = plain;
  std::string name;
  Type type = Type::index;
  ExprPtr first, last;
  Body body;
  ExprPtr worth;  // a parallel loop runs on one core where this is false; null: never
  ExprPtr next;   // of a chain: for (TYPE name = first; name >= 0; name = next); `last` is null
  bool counts = false;  // do all of its passes count as operations of the thread, if not unrolled?
};
struct If {
  ExprPtr condition;
  Body yes, no;
  bool seldom = false;  // few threads come by: no other one computes what is in it
  double share = 1;     // the share of threads away from the boundary for which the condition holds
};
struct Note {  // a comment in the emitted text
  std::string text;
};
struct Line {
  int line = 0;  // of the .stn, from which comes what follows; 0: from nowhere
};

struct Stmt {
  using Node = std::variant<Let, Assign, Store, Combine, Array, Transpose, AsyncCopy, Commit, Await,
                            Follow, Meet, CountLowEnd, Copy, Fill, FillCells, FillRow, Sides,
                            StoreRow, Local, Perform, Return, Variants, Part, FastDivision, RingPtr,
                            Source, Stage, StageEnd, For, If, Note, Line>;
  Node node;

  // Whatever copies, moves and destroys a statement is compiled once: it is large.
  template <class One, class = std::enable_if_t<!std::is_same_v<std::decay_t<One>, Stmt> &&
                                                std::is_constructible_v<Node, One>>>
  Stmt(One&& one) : node(std::forward<One>(one)) {}
  Stmt(const Stmt& other);
  Stmt(Stmt&& other) noexcept;
  Stmt& operator=(const Stmt& other);
  Stmt& operator=(Stmt&& other) noexcept;
  ~Stmt();
};

// ---- kernels ----

struct Param {  // a scalar argument
  std::string name;
  Type type = Type::f32;
};

// On a GPU a thread runs the body for its place in a grid of blocks of `threads`; on a CPU the body
// is the whole sweep, loops included.
struct Kernel {
  std::string name;
  int rank = 1;  // axes of the grid of blocks
  std::vector<Buffer> buffers;
  std::vector<Param> params;  // after the buffers; those of type index are the extents and strides
  // Before the buffers: of grids whose boxes are copied, and the cells of a box.
  struct Map {
    std::string name;
    int box[3] = {1, 1, 1};
    Type element = Type::f32;
  };
  std::vector<Map> maps;
  int shared = 0;  // bytes of shared memory that a launch asks for
  int threads[3] = {1, 1, 1};
  int producers = 0;  // rows of threads after these, along y, that fill the kernel's ring
  // Of a constant, when the kernel is compiled: the time steps of a launch; and the most it is
  // called with. Empty: it takes one, or none.
  std::string steps;
  int most_steps = 1;
  bool any_steps = false;      // or an argument, of any number up to the most
  bool early = false;          // may its blocks begin before the launch before it ends?
  int resident = 0;            // blocks of a multiprocessor that registers must suffice for; 0: any
  int registers = 0;           // if few more are needed, it is limited to these; 0: none
  bool by_neighbours = false;  // are its statements put in the order of the neighbours they take?
  // Do blocks go through planes along z with values in shared memory? Then threads have no
  // registers to spare: they hold columns.
  bool through_planes = false;
  bool wide_too = false;       // also with indices of 64 bits, which take some themselves?
  int tile[3] = {1, 1, 1};     // cells of a block along each axis
  int texel = 0;  // values of a texel where it reads through textures (passes); 0: it does not
  // How warps or blocks that stream share out a grid: the argument that tells it, and what they
  // take (stencil/partition.h; a name for it) where vectors of so many cells fill rows, and where
  // they do not. `length`: chunks of so many rows or planes; 0: of those that fit the card.
  struct Partition {
    struct Cost {
      int64_t beside = 0, ends = 0, boundary = 100;
    };
    std::string name, cost;
    // Of a window: the argument that says what is at its borders (stencil/device_borders.h), the
    // counter of its low end, and the part of a thread; empty: there is none. Borders without a
    // partition: the first blocks along the last axis have the low end, and count it.
    std::string borders, counter;
    ExprPtr part;
    int length = 0, vector = 1;
    Cost filled, ragged;
    // Of blocks (stencil/columns.h), likewise; and cells of a row and rows that the tiles at both
    // ends of the grid store besides.
    struct ColumnCost {
      int64_t beside = 0, first = 100, last = 100, tile = 100, apart = 0;
    };
    ColumnCost columns_filled, columns_ragged;
    int more[2] = {0, 0};
    int first_less = 0;      // cells that the first tile stores fewer
    bool filled_up = false;  // do tiles count rows as filled up to whole vectors?
  } partition;
  // Its named numbers, declared in front of what uses them.
  std::vector<std::pair<std::string, int64_t>> constants;
  Body body;

  int block_threads() const { return threads[0] * (threads[1] + producers) * threads[2]; }
};

// Problems of a kernel that no schedule may produce: uses of undeclared variables or of one as
// another type, a second declaration in scope, accesses to buffers that are not the kernel's,
// stores to what is not writable, types that differ across an operator, arithmetic in a half type.
std::vector<std::string> verify(const Kernel& kernel);

// The buffers and variables that the statements read or write.
std::set<std::string> used_names(const Body& body);

std::string print(const Kernel& kernel);  // --emit=kernel
std::string print(const ExprPtr& expr);

}  // namespace stencilc::kernel
