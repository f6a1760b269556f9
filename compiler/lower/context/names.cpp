#include "lower/context/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

namespace stencilc::lower {
namespace {

// Words of C and C++, predefined macros of the usual compilers and headers, and the names of
// emitted functions' own variables.
constexpr std::string_view kReserved[] = {"Args",
                                          "EOF",
                                          "I",
                                          "INFINITY",
                                          "Index",
                                          "NAN",
                                          "NDEBUG",
                                          "NULL",
                                          "advance",
                                          "alignas",
                                          "alignof",
                                          "and",
                                          "and_eq",
                                          "args",
                                          "asm",
                                          "assert",
                                          "auto",
                                          "bitand",
                                          "bitor",
                                          "block",
                                          "blockDim",
                                          "blockIdx",
                                          "blocks",
                                          "blocks_x",
                                          "blocks_y",
                                          "blocks_z",
                                          "bool",
                                          "break",
                                          "buffers",
                                          "call",
                                          "case",
                                          "catch",
                                          "char",
                                          "char16_t",
                                          "char32_t",
                                          "char8_t",
                                          "class",
                                          "co_await",
                                          "co_return",
                                          "co_yield",
                                          "code",
                                          "compl",
                                          "concept",
                                          "const",
                                          "const_cast",
                                          "consteval",
                                          "constexpr",
                                          "constinit",
                                          "continue",
                                          "count",
                                          "cudaStream_t",
                                          "decltype",
                                          "default",
                                          "delete",
                                          "dim3",
                                          "do",
                                          "done",
                                          "double",
                                          "dynamic_cast",
                                          "else",
                                          "enum",
                                          "errno",
                                          "explicit",
                                          "export",
                                          "extern",
                                          "false",
                                          "final",
                                          "float",
                                          "for",
                                          "friend",
                                          "ghost_blocks",
                                          "goto",
                                          "grid",
                                          "gridDim",
                                          "if",
                                          "import",
                                          "inline",
                                          "int",
                                          "int16_t",
                                          "int32_t",
                                          "int64_t",
                                          "int8_t",
                                          "launch",
                                          "left",
                                          "linux",
                                          "long",
                                          "main",
                                          "max",
                                          "min",
                                          "module",
                                          "mutable",
                                          "namespace",
                                          "narrow",
                                          "new",
                                          "noexcept",
                                          "not",
                                          "not_eq",
                                          "nullptr",
                                          "on",
                                          "operator",
                                          "or",
                                          "or_eq",
                                          "override",
                                          "private",
                                          "protected",
                                          "public",
                                          "rare",
                                          "ready",
                                          "reflexpr",
                                          "register",
                                          "reinterpret_cast",
                                          "requires",
                                          "resident_tile_steps_on",
                                          "restrict",
                                          "return",
                                          "rounding",
                                          "run",
                                          "shape",
                                          "short",
                                          "signed",
                                          "size_t",
                                          "sizeof",
                                          "st",
                                          "static",
                                          "static_assert",
                                          "static_cast",
                                          "std",
                                          "stderr",
                                          "stdin",
                                          "stdout",
                                          "stencil",
                                          "step",
                                          "step_on",
                                          "steps",
                                          "stream",
                                          "struct",
                                          "switch",
                                          "template",
                                          "this",
                                          "threadIdx",
                                          "thread_local",
                                          "threads",
                                          "throw",
                                          "true",
                                          "try",
                                          "typedef",
                                          "typeid",
                                          "typename",
                                          "typeof",
                                          "uint16_t",
                                          "uint32_t",
                                          "uint64_t",
                                          "uint8_t",
                                          "union",
                                          "unix",
                                          "unsigned",
                                          "using",
                                          "virtual",
                                          "void",
                                          "volatile",
                                          "warpSize",
                                          "wchar_t",
                                          "while",
                                          "xor",
                                          "xor_eq"};

// Macros of the headers that emitted code and its header include, on either target, sorted. The
// test of ptxas/kernels that asks the compilers for theirs writes the list.
constexpr std::string_view kMacros[] = {
#include "lower/context/macros.inc"
};
static_assert(std::is_sorted(std::begin(kReserved), std::end(kReserved)));
static_assert(std::is_sorted(std::begin(kMacros), std::end(kMacros)));

// Functions of the C library, and types of its headers and of CUDA's, whose names somebody might
// give a stencil.
constexpr std::string_view kLibrary[] = {
    "abort",       "abs",          "accept",    "access",   "acos",      "acosh",
    "alarm",       "asin",         "asinh",     "atan",     "atan2",     "atanh",
    "bind",        "calloc",       "cbrt",      "ceil",     "clock",     "close",
    "connect",     "copysign",     "cos",       "cosh",     "daemon",    "difftime",
    "div",         "drem",         "dup",       "erf",      "erfc",      "exit",
    "exp",         "exp10",        "exp2",      "expm1",    "fabs",      "fadd",
    "fdim",        "fdiv",         "ffs",       "finite",   "floor",     "fma",
    "fmax",        "fmin",         "fmod",      "fmul",     "fork",      "free",
    "frexp",       "fsub",         "gamma",     "getline",  "half",      "half2",
    "hypot",       "index",        "j0",        "j1",       "jn",        "kill",
    "labs",        "ldexp",        "ldiv",      "lgamma",   "link",      "listen",
    "log",         "log10",        "log1p",     "log2",     "logb",      "malloc",
    "memcpy",      "memset",       "modf",      "nan",      "nearbyint", "nice",
    "nv_bfloat16", "nv_bfloat162", "nv_half",   "nv_half2", "pause",     "pipe",
    "pow",         "printf",       "puts",      "raise",    "rand",      "random",
    "read",        "realloc",      "remainder", "remove",   "rename",    "rewind",
    "rint",        "round",        "scalb",     "scalbn",   "select",    "signal",
    "significand", "sin",          "sincos",    "sinh",     "sleep",     "sqrt",
    "strlen",      "swab",         "sync",      "syscall",  "system",    "tan",
    "tanh",        "tgamma",       "time",      "times",    "trunc",     "truncate",
    "uint",        "ulong",        "unlink",    "ushort",   "wait",      "write",
    "y0",          "y1",           "yn"};

// float4, uchar2: a vector type of CUDA.
bool is_vector_type(const std::string& name) {
  static constexpr std::string_view kElements[] = {"char",  "uchar",    "short",     "ushort",
                                                   "int",   "uint",     "long",      "ulong",
                                                   "float", "longlong", "ulonglong", "double"};
  return !name.empty() && name.back() >= '1' && name.back() <= '4' &&
         std::find(std::begin(kElements), std::end(kElements),
                   std::string_view(name).substr(0, name.size() - 1)) != std::end(kElements);
}

// advance_steps, blocks_x_2, advance_steps_8_fits: what the host code calls a kernel of several
// steps, the shape of a second sweep, and what came of asking for a kernel's shared memory.
bool is_of_launch(const std::string& name) {
  static constexpr std::string_view kShapes[] = {"threads",  "blocks",   "blocks_x",
                                                 "blocks_y", "blocks_z", "ghost_blocks"};
  const size_t number = name.find_last_not_of("0123456789") + 1;
  if (number == name.size())
    return name == "advance_steps" || name == "resident_tile_steps" || name.ends_with("_fits");
  return number > 0 && name[number - 1] == '_' &&
         std::find(std::begin(kShapes), std::end(kShapes),
                   std::string_view(name).substr(0, number - 1)) != std::end(kShapes);
}

bool is_word(const std::string& name) {
  static const auto words = [] {
    std::unordered_set<std::string_view> all(std::begin(kReserved), std::end(kReserved));
    all.insert(std::begin(kMacros), std::end(kMacros));
    return all;
  }();
  return words.count(name) != 0;
}

bool harmless(const std::string& name) {
  return !is_word(name) && name.find("__") == std::string::npos &&
         !(name.size() > 1 && name[0] == '_') && !name.starts_with("cuda") &&
         !name.starts_with("STENCIL") && !is_of_launch(name);
}

}  // namespace

struct Names::Node {
  size_t hash;
  std::string name;
  int number;
  Tree before, after;
};

const Names::Node* Names::find(const Tree& tree, size_t hash, const std::string& name) {
  const Node* node = tree.get();
  while (node && (node->hash != hash || node->name != name))
    node = (std::tie(hash, name) < std::tie(node->hash, node->name) ? node->before : node->after)
               .get();
  return node;
}

void Names::put(Tree& tree, size_t hash, const std::string& name, int number) {
  Tree* place = &tree;
  while (*place) {
    if (place->use_count() > 1) *place = std::make_shared<Node>(**place);
    Node& node = **place;
    if (node.hash == hash && node.name == name) {
      node.number = number;
      return;
    }
    place = std::tie(hash, name) < std::tie(node.hash, node.name) ? &node.before : &node.after;
  }
  *place = std::make_shared<Node>(Node{hash, name, number, nullptr, nullptr});
}

bool Names::take(const std::string& name) {
  const size_t hash = std::hash<std::string>()(name);
  if (find(taken_, hash, name)) return false;
  put(taken_, hash, name, 0);
  return true;
}

std::string Names::claim(const std::string& wanted) {
  std::string name = wanted;
  if (!harmless(name)) {  // squeeze what C++ reserves out of it
    std::string plain;
    for (const char c : name)
      if (c != '_' || (!plain.empty() && plain.back() != '_')) plain += c;
    name = plain.empty() ? "v" : plain;
    if (!harmless(name) || name.back() != '_') name += name.back() == '_' ? "v" : "_";
  }
  if (take(name)) return name;
  const std::string base = name + (name.back() == '_' ? "" : "_");
  const size_t hash = std::hash<std::string>()(base);
  const Node* known = find(next_, hash, base);
  int n = known ? known->number : 2;  // all before it are taken
  do name = base + std::to_string(n++);
  while (!take(name));
  put(next_, hash, base, n);
  return name;
}

std::string Names::claim_global(const std::string& wanted) {
  const bool known =
      std::find(std::begin(kLibrary), std::end(kLibrary), wanted) != std::end(kLibrary);
  return claim(known || is_vector_type(wanted) ? wanted + "_" : wanted);
}

}  // namespace stencilc::lower
