// Expressions of the kernel IR: immutable and shared. Constructors (build.h) fold, so x + 0 never
// stands in a tree. Arithmetic means the same as in docs/language.md, "Numbers": one rounding each,
// integers wrap.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace stencilc::kernel {

// `index` is the kernel's index type: int where every cell can be counted in 31 bits, int64_t
// elsewhere. Index arithmetic does not overflow, by the choice between the two. `bits` is a word of
// 32: one bit of each of 32 neighbouring cells along x, the first cell's the lowest.
enum class Type : uint8_t { boolean, i8, u8, i16, u16, i32, i64, f16, bf16, f32, f64, index, bits };
bool is_float(Type type);
int bytes_of(Type type);  // of a value in memory
bool is_half(Type type);  // f16 or bf16, in which nothing computes

// A size or a number of things, known when the kernel is compiled. `text`: as it is spelt in terms
// of the kernel's constants (Kernel::constants); empty: as a number.
struct Count {
  int value = 0;
  std::string text;
  Count(int number = 0) : value(number) {}  // NOLINT: every number is one
  Count(int number, std::string spelt) : value(number), text(std::move(spelt)) {}
  operator int() const { return value; }  // NOLINT
};
std::string spell(const Count& count);
// Sums and products. Numbers fold; 1 * n is n.
Count plus(const Count& left, const Count& right);
Count times(const Count& left, const Count& right);

// ---- buffers ----

// Where values lie, indexed by cells. How an access is spelt is one function of emit.
struct Buffer {
  std::string name;
  Type element = Type::f32;
  bool writable = false;
  // Of a kernel's parameter: so many values, passed by value, which puts them into constant memory.
  // 0: a pointer into device memory.
  int constants = 0;
  // Of a kernel's parameter that it only reads: so many neighbouring values are a texel of the
  // texture by which they are fetched. 0: they are loaded.
  int texel = 0;
  // Of a thread's own array, which an Array declares: so many values in each of `rows` rows, in
  // registers, because every index is a constant once the loops around it are unrolled. 0: a
  // kernel's parameter.
  Count registers, rows = 1;
  // Such an array in shared memory: by an Array, or a plane of a Ring by a Stage.
  bool shared = false;
  // Of a kernel's parameter: a list of entries in the order of their keys, which Entry searches.
  bool entries = false;
};

// ---- expressions ----

struct Expr;
using ExprPtr = std::shared_ptr<const Expr>;

struct Int {
  int64_t value = 0;
  std::string name;  // of a constant of the kernel (Kernel::constants), which stands for the value
};
struct Real {
  double value = 0;
};
struct Var {
  std::string name;
};

enum class BinOp : uint8_t {
  add,
  sub,
  mul,
  div,
  idiv,
  mod,
  lt,
  le,
  gt,
  ge,
  eq,
  ne,
  and_,
  or_,
  xor_
};
// `wraps`: an integer operation that may overflow and must then wrap. div is the float division,
// idiv and mod round down. and_ and or_ of integers and words, and xor_, are those of their bits,
// and so is Not of words.
struct Bin {
  BinOp op;
  ExprPtr left, right;
  bool wraps = false;
};
struct Neg {
  ExprPtr value;
  bool wraps = false;
};
struct Not {
  ExprPtr value;
};
struct Fma {  // a*b + c, rounded once
  ExprPtr a, b, c;
};

// Functions of one meaning on every target.
//   clamp .. wrap   (index, extent): the cell of 0 .. extent-1 whose value stands at index
//   fold, flips     (index, extent), by the sides of the call: that cell, or where `stop` holds the
//                   index beyond; whether the value changes its sign
//   ghost_cells     (extents, ghost cells along each axis): how many ghost cells an array has
//   ghost_place     (coordinates, extents, ghost cells along each axis): where the ghost cell lies
//                   among all of an array (device_ghosts.h); some place where it is none
//   ghost_x ..      (place, extents, ghost cells): its coordinates
//   edge_x, edge_y  (number, nx, ny, low x, high x, low y, high y): the coordinates of a cell of a
//                   plane that lies so near to the ends of x or y (device_edges.h)
//   whole_vectors   (extent, width, end of a block): do the block's vectors lie in a row of so many
//                   cells or beyond its end?
//   over_number     (a, high, low): a / b, where high + low is 1/b (ir/number_divisor.h) and a is an
//                   ordinary number
//   quotient .. reciprocal_root  (a, b) or (x), in a FastDivision: what div and sqrt give, of
//                   ordinary numbers without a branch; by quotient_or_infinity zero is ordinary,
//                   too. A further operand is the condition under which the result is used
//   quotient_of     (a, b), likewise, of a number a whose magnitude is from 2^-20 to 1
//   quotient_by     (a, b, 1/b), likewise
//   quotient_by_number  (a, b, high, low), likewise
//   anew            (x), in a FastDivision: x, of which its second run computes anew
// And of words of bits:
//   majority        of three: where two of them are set
//   choose          (condition, yes, no)
//   moved           (word, number): bits of cells so far along x, of other lanes of the warp, too;
//                   all of its lanes evaluate this
//   from_left, from_right  (value, n): of the lane of the warp n to that side; all of its lanes
//                   evaluate this
//   cells_in        (x, extent): of the cells from x on, which lie in 0 .. extent-1?
// And of a set of numbers below 64, which is an i64:
//   with            (set, number, condition): with the number, where the condition holds
//   next_in         (set, number): the next greater one, or -1
enum class Fn : uint8_t {
  clamp,
  reflect,
  mirror,
  wrap,
  held,
  min,
  max,
  abs,
  popcount,
  sqrt,
  exp,
  log,
  sin,
  cos,
  tan,
  tanh,
  pow,
  floor,
  ceil,
  fold,
  flips,
  majority,
  choose,
  moved,
  from_left,
  from_right,
  cells_in,
  with,
  next_in,
  ghost_cells,
  ghost_place,
  ghost_x,
  ghost_y,
  ghost_z,
  edge_x,
  edge_y,
  whole_vectors,
  over_number,
  quotient,
  quotient_of,
  quotient_or_infinity,
  quotient_by,
  quotient_by_number,
  root,
  reciprocal,
  reciprocal_root,
  anew
};
enum class Side : uint8_t { stop, clamp, reflect, mirror, antireflect };
struct Call {
  Fn function;
  std::vector<ExprPtr> args;
  Side low = Side::stop, high = Side::stop;  // of fold and flips: below 0, and from the extent on
};
struct Convert {  // to the expression's type; saturate as sat_u8()
  ExprPtr value;
  bool saturate = false;
};
struct Load {
  Buffer buffer;
  ExprPtr at;
  ExprPtr row;  // of a thread's array of several rows; else null
};
// The value `distance` cells along x from the thread's own, which is `own` and stands at `at`: from
// the lane of the warp that has it, or where that is in another warp by a load. A warp holds 32
// threads of a row, and all of its lanes evaluate this.
struct Beside {
  ExprPtr own;
  Buffer buffer;
  ExprPtr at;
  int distance = 0;
};
// Of a list of entries: the first one with a key, the next after one with the same key, or -1; its
// number in the caller's list; has `any` a key from one number on that is less than another?
struct Entry {
  enum What : uint8_t { first, next, number, any } what;
  Buffer list;
  std::vector<ExprPtr> args;
};
struct Pick {  // condition ? yes : no; only the chosen side is evaluated
  ExprPtr condition, yes, no;
};
// Where a thread stands, of type index: thread along an axis in its block, block along an axis in
// the grid; warp is thread, the same in all lanes of a warp, which the compiler is told.
struct Place {
  enum What : uint8_t { thread, block, warp } what;
  int axis = 0;
};

// How values of many cells become one. A NaN makes least and greatest NaN.
enum class Fold : uint8_t { sum, product, least, greatest };
struct Identity {  // the value that changes nothing
  Fold fold;
};

struct Expr {
  Type type;
  std::variant<Int, Real, Var, Bin, Neg, Not, Fma, Call, Convert, Load, Beside, Entry, Pick, Place,
               Identity>
      node;
};

}  // namespace stencilc::kernel
