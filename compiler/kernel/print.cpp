// The kernel IR as text: one statement a line, operators by name, so that nothing depends on a
// language.
#include <array>

#include "kernel/build.h"
#include "kernel/ring.h"

namespace stencilc::kernel {
namespace {

constexpr std::array kTypes = {"bool", "i8",   "u8",  "i16", "u16",   "i32", "i64",
                               "f16",  "bf16", "f32", "f64", "index", "bits"};
constexpr std::array kBin = {
    "+", "-", "*", "/", "idiv", "mod", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "^"};
constexpr std::array kFn = {"clamp",
                            "reflect",
                            "mirror",
                            "wrap",
                            "held",
                            "min",
                            "max",
                            "abs",
                            "popcount",
                            "sqrt",
                            "exp",
                            "log",
                            "sin",
                            "cos",
                            "tan",
                            "tanh",
                            "pow",
                            "floor",
                            "ceil",
                            "fold",
                            "flips",
                            "majority",
                            "choose",
                            "moved",
                            "from_left",
                            "from_right",
                            "cells_in",
                            "with",
                            "next_in",
                            "ghost_cells",
                            "ghost_place",
                            "ghost_x",
                            "ghost_y",
                            "ghost_z",
                            "edge_x",
                            "edge_y",
                            "whole_vectors",
                            "over_number",
                            "quotient",
                            "quotient_of",
                            "quotient_or_infinity",
                            "quotient_by",
                            "quotient_by_number",
                            "root",
                            "reciprocal",
                            "reciprocal_root",
                            "anew"};
static_assert(kFn.size() == static_cast<size_t>(Fn::anew) + 1);
constexpr std::array kSides = {"stop", "clamp", "reflect", "mirror", "antireflect"};
constexpr std::array kFolds = {"sum", "product", "least", "greatest"};
constexpr std::array kMarks = {"",
                               " unrolled",
                               " rolled",
                               " paired",
                               " vectorised",
                               " parallel",
                               " parallel_2",
                               " parallel_vectorised",
                               " tripled"};

std::string name(Type type) { return kTypes[static_cast<size_t>(type)]; }

struct Printer {
  std::string text;
  int depth = 1;

  std::string list(const std::vector<ExprPtr>& args) {
    std::string result;
    for (const ExprPtr& arg : args) result += (result.empty() ? "" : ", ") + expr(arg);
    return result;
  }
  std::string expr(const ExprPtr& e) {
    return std::visit([&](const auto& node) { return one(node, *e); }, e->node);
  }
  std::string one(const Int& n, const Expr&) { return std::to_string(n.value); }
  std::string one(const Real& n, const Expr&) {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.9g", n.value);
    return digits;
  }
  std::string one(const Var& n, const Expr&) { return n.name; }
  std::string one(const Bin& n, const Expr&) {
    return "(" + expr(n.left) + " " + kBin[static_cast<size_t>(n.op)] + (n.wraps ? "~ " : " ") +
           expr(n.right) + ")";
  }
  std::string one(const Neg& n, const Expr&) { return "-" + expr(n.value); }
  std::string one(const Not& n, const Expr&) { return "!" + expr(n.value); }
  std::string one(const Fma& n, const Expr&) { return "fma(" + list({n.a, n.b, n.c}) + ")"; }
  std::string one(const Call& n, const Expr&) {
    std::string function = kFn[static_cast<size_t>(n.function)];
    if (n.function == Fn::fold || n.function == Fn::flips)
      function += std::string("<") + kSides[static_cast<size_t>(n.low)] + ", " +
                  kSides[static_cast<size_t>(n.high)] + ">";
    return function + "(" + list(n.args) + ")";
  }
  std::string one(const Convert& n, const Expr& e) {
    return (n.saturate ? "sat_" : "") + name(e.type) + "(" + expr(n.value) + ")";
  }
  std::string place(const Buffer& buffer, const ExprPtr& row, const ExprPtr& at) {
    return buffer.name + (row ? "[" + expr(row) + "]" : "") + "[" + expr(at) + "]";
  }
  std::string one(const Load& n, const Expr&) { return place(n.buffer, n.row, n.at); }
  std::string one(const Beside& n, const Expr&) {
    return "beside(" + expr(n.own) + " of " + place(n.buffer, nullptr, n.at) + ", " +
           std::to_string(n.distance) + ")";
  }
  std::string one(const Entry& n, const Expr&) {
    constexpr std::array kWhat = {".first(", ".next(", ".number(", ".any("};
    return n.list.name + kWhat[n.what] + list(n.args) + ")";
  }
  std::string one(const Pick& n, const Expr&) {
    return "pick(" + list({n.condition, n.yes, n.no}) + ")";
  }
  std::string one(const Place& n, const Expr&) {
    return std::string(n.what == Place::block    ? "block."
                       : n.what == Place::thread ? "thread."
                                                 : "warp.") +
           "xyz"[n.axis];
  }

  std::string one(const Identity& n, const Expr&) {
    return std::string("identity.") + kFolds[static_cast<size_t>(n.fold)];
  }

  void line(const std::string& words) { text += std::string(2 * depth, ' ') + words + "\n"; }
  void body(const Body& statements) {
    ++depth;
    for (const Stmt& stmt : statements)
      std::visit([&](const auto& node) { stmt_of(node); }, stmt.node);
    --depth;
  }
  void stmt_of(const Let& n) {
    line((n.mutable_ ? "var " : "let ") + n.name + ": " + name(n.value->type) + " = " +
         expr(n.value));
  }
  void stmt_of(const Assign& n) { line(n.name + " = " + expr(n.value)); }
  void stmt_of(const Store& n) { line(place(n.buffer, n.row, n.at) + " <- " + expr(n.value)); }
  void stmt_of(const Combine& n) {
    line(n.buffer.name + " <- " + kFolds[static_cast<size_t>(n.fold)] + " of warp " +
         list({n.value, n.x, n.extent, n.row}));
  }
  void stmt_of(const Array& n) {
    line((n.buffer.shared ? "shared array " : "array ") + n.buffer.name + ": " +
         std::to_string(n.buffer.rows) + " rows of " + std::to_string(n.buffer.registers) + " " +
         name(n.buffer.element) + (n.zeros ? ", zero" : ""));
  }
  void stmt_of(const Transpose& n) {
    line(n.to_cells ? n.cells.name + " <- cells of " + n.bits.name
                    : n.bits.name + " <- bits of " + n.cells.name);
  }
  void stmt_of(const AsyncCopy& n) {
    line(place(n.to, n.to_row, n.to_at) + " <- async " + std::to_string(n.width) + " of " +
         place(n.from, nullptr, n.from_at) +
         (n.pitch ? ", " + std::to_string(n.rows) + " rows " + expr(n.pitch) + " apart" : ""));
    if (n.local.empty())
      return line("  as a vector where " + expr(n.whole) +
                  (n.there ? ", if " + expr(n.there) + ", or " + expr(n.ghost) : ""));
    line("  where " + expr(n.whole) +
         (n.follow ? ", one by one where " + expr(n.follow) : std::string()) + ", else " + n.local +
         "(" + list(n.at) + ")" + (n.ghost ? ", or " + expr(n.ghost) : ""));
  }
  void stmt_of(const Commit&) { line("commit"); }
  void stmt_of(const Follow&) { line("follow"); }
  void stmt_of(const Meet&) { line("meet"); }
  void stmt_of(const CountLowEnd& n) { line(n.block ? "count low end of block" : "count low end of warp"); }
  void stmt_of(const Await& n) { line("await all but " + std::to_string(n.pending)); }
  void stmt_of(const Copy& n) {
    line(place(n.to, n.to_row, n.to_at) + " <- " + std::to_string(n.count) + " x " +
         std::to_string(n.width) + " of " + place(n.from, n.from_row, n.from_at));
  }
  template <class Moved>
  std::string whole(const Moved& n) {
    return (n.edge ? "not " + expr(n.edge) + " or " : "") + expr(n.whole);
  }
  void stmt_of(const Fill& n) {
    stmt_of(n.copy);
    line("  where " + whole(n) + ", else " + n.cell + "(" + list(n.at) + ")");
  }
  void stmt_of(const FillCells& n) {
    line(place(n.to, n.to_row, n.to_at) + " <- " + std::to_string(n.width) + " of " + n.cell + "(" +
         list(n.at) + ")");
  }
  void stmt_of(const FillRow& n) {
    line(place(n.to, n.to_row, n.to_at) + " <- vectors of " + std::to_string(n.width) + " from " +
         std::to_string(n.first) + " on, " + std::to_string(n.count) + " of them, at " + expr(n.x) +
         " of " + n.from.name + " row " + n.row + "(" + list(n.at) + ")");
    line("  " + (n.edge ? "where " + expr(n.edge) + " " : std::string()) + "vector 0 where " +
         expr(n.whole) + ", else by " + n.cell);
  }
  void stmt_of(const Sides& n) {
    line(place(n.to, n.row, n.own) + " <- " + std::to_string(n.left) + " left and " +
         std::to_string(n.right) + " right of " + std::to_string(n.width) +
         (n.from.name.empty() ? "" : " at " + place(n.from, nullptr, n.from_at)));
    if (n.cell.empty()) return;
    line("  " + (n.edge ? "where " + expr(n.edge) + " " : std::string()) + "by loads where " +
         expr(n.whole) + ", else " + n.cell + "(" + list(n.at) + ")");
  }
  void stmt_of(const StoreRow& n) {
    stmt_of(n.copy);
    line("  where " + whole(n) + ", else the first " + expr(n.limit));
  }
  void stmt_of(const Local& n) {
    std::string params;
    for (const std::string& param : n.params) params += (params.empty() ? "" : ", ") + param;
    line("function " + n.name + "(" + params + ")" + (n.flag.empty() ? "" : " by " + n.flag));
    body(n.body);
  }
  void stmt_of(const Perform& n) {
    line(n.local + "(" + list(n.args) + ")" +
         (n.flag < 0 ? ""
          : n.flag   ? " by true"
                     : " by false"));
  }
  void stmt_of(const Return& n) { line("return " + expr(n.value)); }
  void stmt_of(const Variants& n) {
    std::string head = "variants " + n.name + ", " + n.flag;
    for (const std::string& flag : n.further) head += ", " + flag;
    line(head + " = !(" + expr(n.condition) + ")");
    for (const auto& [condition, flags] : n.cases) {
      std::string values;
      for (const bool flag : flags) values += flag ? " true" : " false";
      line("by" + values + " where " + expr(condition));
    }
    if (n.aligned) line("by vectors where " + expr(n.aligned));
    body(n.body);
  }
  void stmt_of(const Part& n) {
    line(n.tile_x + (n.tile_y.empty() ? "" : ", " + n.tile_y) + ", " + n.first + ", " + n.end +
         " = part " + expr(n.part) + (n.rows ? " of " + expr(n.rows) + " rows" : ""));
    if (n.origin) line(n.low_end + " = low end from " + expr(n.origin));
  }
  void stmt_of(const FastDivision& n) {
    line("fast_division");
    body(n.body);
  }
  void stmt_of(const RingPtr& n) {
    for (const Ring::Grid& grid : n->grids)
      line((n->is_tile()
                ? "tile " + grid.planes.name + ": "
                : "ring " + grid.planes.name + ": " + std::to_string(n->depth) + " planes of ") +
           std::to_string(grid.planes.rows) + " x " + std::to_string(grid.planes.registers) + " " +
           name(grid.planes.element) + " from (" + list(grid.at) + ")" +
           (n->is_tile() ? "" : ", " + std::to_string(n->ahead) + " ahead of " + expr(n->stages)));
  }
  void stmt_of(const Source& n) {
    constexpr std::array kKinds = {"loads", "async", "boxes"};
    const std::string by = n.ring->own ? ", split"
                           : n.ring->producers > 0
                               ? ", by " + std::to_string(n.ring->producers) + " threads more"
                               : "";
    line(std::string("source ") + kKinds[n.ring->kind] + by + (n.boundary ? ", boundary" : "") +
         (n.edge ? " where " + expr(n.edge) : ""));
  }
  void stmt_of(const StageEnd& n) { line("end of stage " + expr(n.n)); }
  void stmt_of(const Stage& n) {
    std::string words = "stage " + expr(n.n);
    for (const Stage::Plane& plane : n.planes)
      words += ", " + plane.buffer.name + " " + std::to_string(plane.back) + " before";
    line(words);
  }
  void stmt_of(const For& n) {
    line("for " + n.name + " in " + (n.first ? expr(n.first) : n.name) +
         (n.next ? ", then " + expr(n.next) : " .. " + expr(n.last)) + kMarks[n.mark]);
    body(n.body);
  }
  void stmt_of(const If& n) {
    line((n.seldom ? "seldom if " : "if ") + expr(n.condition));
    body(n.yes);
    if (n.no.empty()) return;
    line("else");
    body(n.no);
  }
  void stmt_of(const Note& n) { line("// " + n.text); }
  void stmt_of(const Line&) {}
};

}  // namespace

std::string print(const ExprPtr& expr) { return Printer().expr(expr); }

std::string print(const Kernel& kernel) {
  Printer printer;
  printer.text = "kernel " + kernel.name + "\n";
  for (const Buffer& buffer : kernel.buffers)
    printer.line(std::string("buffer ") + buffer.name + ": " + name(buffer.element) +
                 (buffer.writable ? ", written" : "") +
                 (buffer.constants ? ", " + std::to_string(buffer.constants) + " constants" : "") +
                 (buffer.texel ? ", texels of " + std::to_string(buffer.texel) : ""));
  for (const Param& param : kernel.params)
    printer.line("param " + param.name + ": " + name(param.type));
  for (int a = 0; a < kernel.rank; ++a)
    printer.line(std::string("axis ") + "xyz"[a] + ": " + std::to_string(kernel.threads[a]) +
                 " threads, " + std::to_string(kernel.tile[a]) + " cells a block");
  printer.line("body");
  printer.body(kernel.body);
  return printer.text;
}

}  // namespace stencilc::kernel
