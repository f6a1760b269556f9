#include "run/random_names.h"

#include <cctype>
#include <vector>

namespace stencilc::run_test {
namespace {

const std::vector<std::string> kHostile = {
    "int",       "float",    "double",    "threadIdx", "blockIdx", "blockDim", "gridDim",
    "warpSize",  "step",     "pitch",     "plane",     "block",    "u_new",    "grid",
    "s",         "nxx",      "Index",     "shape",     "args",     "steps",    "stream",
    "call",      "run",      "launch",    "status",    "code",     "st",       "std",
    "advance",   "buffers",  "count",     "left",      "threads",  "blocks",   "ready",
    "main",      "class",    "new",       "this",      "template", "operator", "register",
    "namespace", "NULL",     "NAN",       "errno",     "assert",   "INFINITY", "unix",
    "linux",     "half",     "uint",      "size_t",    "fma",      "acc",      "sum_0",
    "u__x",      "v_",       "_w",        "__fmaf_rn", "dim3",     "cudaFree", "int64_t",
    "restrict",  "typename", "constexpr", "volatile",  "auto",     "bool_t",   "sinf",
    "cell",      "x0",       "i0",        "row",       "Args",     "Grid",     "Status",
    "Steps",     "signed",   "goto",      "asm",       "printf",   "stencils", "char",
    "narrow",    "done",     "blocks_x"};

bool in_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.'; }

}  // namespace

std::string RandomNames::claim(const std::string& wish) {
  std::string name = wish;
  if (wild_ && random_.chance(60))
    name = random_.chance(40) ? kHostile[random_.below(10)] : random_.pick(kHostile);
  const std::string base = name;
  for (int n = 2; !taken_.insert(name).second; ++n) name = base + std::to_string(n);
  return name;
}

std::string rearranged(const std::string& text, Random& random) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ' ' && text[i] != '\n') {
      result += text[i];
      continue;
    }
    const bool needed =
        !result.empty() && i + 1 < text.size() && in_word(result.back()) && in_word(text[i + 1]);
    switch (random.below(12)) {
      case 0:
        result += "\n\n\t";
        break;
      case 1:
        result += " /* u[x-1]; { */ ";
        break;
      case 2:
        result += " // field f32 w; \"\n";
        break;
      case 3:
        result += "\r\n";
        break;
      case 4:
        result += "   # }\n";
        break;
      case 5:
      case 6:
      case 7:
      case 8:
        result += needed ? " " : "";
        break;
      default:
        result += text[i];
    }
  }
  return result;
}

}  // namespace stencilc::run_test
