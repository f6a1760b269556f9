#include "lower/names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace stencilc::lower {
namespace {

// Words of C and C++, predefined macros of the usual compilers and headers, and the names of
// emitted functions' own variables.
constexpr std::string_view kReserved[] = {"Args",        "EOF",          "I",
                                          "INFINITY",    "Index",        "NAN",
                                          "NDEBUG",      "NULL",         "advance",
                                          "alignas",     "alignof",      "and",
                                          "and_eq",      "args",         "asm",
                                          "assert",      "auto",         "bitand",
                                          "bitor",       "block",        "blockDim",
                                          "blockIdx",    "blocks",       "blocks_x",
                                          "blocks_y",    "blocks_z",     "bool",
                                          "break",       "buffers",      "call",
                                          "case",        "catch",        "char",
                                          "char16_t",    "char32_t",     "char8_t",
                                          "class",       "co_await",     "co_return",
                                          "co_yield",    "code",         "compl",
                                          "concept",     "const",        "const_cast",
                                          "consteval",   "constexpr",    "constinit",
                                          "continue",    "count",        "cudaStream_t",
                                          "decltype",    "default",      "delete",
                                          "dim3",        "do",           "done",
                                          "double",      "dynamic_cast", "else",
                                          "enum",        "errno",        "explicit",
                                          "export",      "extern",       "false",
                                          "final",       "float",        "for",
                                          "friend",      "goto",         "grid",
                                          "gridDim",     "if",           "import",
                                          "inline",      "int",          "int16_t",
                                          "int32_t",     "int64_t",      "int8_t",
                                          "launch",      "left",         "linux",
                                          "long",        "main",         "max",
                                          "min",         "module",       "mutable",
                                          "namespace",   "narrow",       "new",
                                          "noexcept",    "not",          "not_eq",
                                          "nullptr",     "operator",     "or",
                                          "or_eq",       "override",     "private",
                                          "protected",   "public",       "ready",
                                          "reflexpr",    "register",     "reinterpret_cast",
                                          "requires",    "restrict",     "return",
                                          "run",         "shape",        "short",
                                          "signed",      "size_t",       "sizeof",
                                          "st",          "static",       "static_assert",
                                          "static_cast", "std",          "stderr",
                                          "stdin",       "stdout",       "stencil",
                                          "step",        "steps",        "stream",
                                          "struct",      "switch",       "template",
                                          "this",        "threadIdx",    "thread_local",
                                          "threads",     "throw",        "true",
                                          "try",         "typedef",      "typeid",
                                          "typename",    "typeof",       "uint16_t",
                                          "uint32_t",    "uint64_t",     "uint8_t",
                                          "union",       "unix",         "unsigned",
                                          "using",       "virtual",      "void",
                                          "volatile",    "warpSize",     "wchar_t",
                                          "while",       "xor",          "xor_eq"};

bool harmless(const std::string& name) {
  return std::find(std::begin(kReserved), std::end(kReserved), name) == std::end(kReserved) &&
         name.find("__") == std::string::npos && !(name.size() > 1 && name[0] == '_') &&
         !name.starts_with("cuda");
}

}  // namespace

std::string Names::claim(const std::string& wanted) {
  std::string name = wanted;
  if (!harmless(name)) {  // squeeze what C++ reserves out of it
    std::string plain;
    for (const char c : name)
      if (c != '_' || (!plain.empty() && plain.back() != '_')) plain += c;
    name = plain.empty() ? "v" : plain;
    if (!harmless(name) || name.back() != '_') name += name.back() == '_' ? "v" : "_";
  }
  const std::string base = name;
  for (int n = 2; !taken_.insert(name).second; ++n)
    name = base + (base.back() == '_' ? "" : "_") + std::to_string(n);
  return name;
}

}  // namespace stencilc::lower
