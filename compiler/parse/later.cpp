#include "parse/later.h"

#include <cassert>

namespace stencilc::parse {
namespace {

struct Later {
  std::string_view spelling;
  std::string_view instead;
};

constexpr Later table[] = {
    {"reduce", "leave it out and reduce the result of the run"},
    {"iterate", "leave it out and give the number of steps to the run: `stencilc run --steps N`"},
    {"color", "leave it out and update from the old time level: `u[t+1] = ...;`"},
    {"schedule", "leave it out and choose a schedule on the command line: `--schedule=NAME`"},
    {"inject", "add the source as a field: `field f32 source readonly;`"},
    {"sample", "leave it out and take the values from the result of the run"},
    {"use", "copy the functions into this file"},
    {"weights", "write `const f32 w[-1..1] = { ... };`, or one `param` for each weight"},
    {"boundary", "give the boundary with the field: `field f32 u boundary clamp;`"},
    {"on", "choose the value by a condition: `u[t+1] = x >= 1 ? ... : u;`"},
    {"where", "choose the value by a condition: `u[t+1] = mask > 0 ? ... : u;`"},
    {"compute", "leave it out: arithmetic is done in the promoted type of the operands"},
    {"{", "one kind holds for all sides: `boundary clamp`"},
    {"+=", "write the operation out: `u[t+1] = u + ...;`"},
    {"-=", "write the operation out: `u[t+1] = u - ...;`"},
    {"*=", "write the operation out: `u[t+1] = u * ...;`"},
    {"/=", "write the operation out: `u[t+1] = u / ...;`"},
};

}  // namespace

std::string_view instead_of(std::string_view spelling) {
  for (const Later& later : table) {
    if (later.spelling == spelling) return later.instead;
  }
  assert(!"not a word of a later version");
  return "";
}

}  // namespace stencilc::parse
