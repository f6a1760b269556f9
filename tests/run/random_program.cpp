#include "run/random_program.h"

#include <utility>

#include "run/random_maker.h"

namespace stencilc::run_test {

RandomProgram RandomMaker::make() {
  std::string title = "stencil_of_" + std::to_string(random_.below(1000));
  if (wild_) title = random_.pick({"int", "class", "step", "std", "run", "Args", "u__x", "unix"});
  axes();
  params();
  constants();
  weights();
  if (random_.chance(10)) colors();
  fields();
  if (!wild_ && random_.chance(10)) title = targets_[0].name;
  functions();
  lets();
  if (random_.chance(30)) reductions(false);
  updates();
  if (has_points_) points();
  if (random_.chance(30)) reductions(true);
  if (random_.chance(20)) iterate();
  if (random_.chance(15)) shuffle();
  std::string text = "stencil " + title + " {\n";
  for (const std::string& line : lines_) text += "  " + line + "\n";
  text += "}\n";
  text = random_.chance(50) ? outside_ + text : text + outside_;
  return {wild_ ? rearranged(text, random_) : text, defines_};
}

void RandomMaker::shuffle() {
  std::vector<std::string> statements;
  std::vector<char> is_statement(lines_.size(), 0);
  for (const size_t at : statements_) {
    statements.push_back(lines_[at]);
    is_statement[at] = 1;
  }
  for (size_t i = lines_.size(); i > 1; --i) {
    const auto other = static_cast<size_t>(random_.below(static_cast<int>(i)));
    std::swap(lines_[i - 1], lines_[other]);
    std::swap(is_statement[i - 1], is_statement[other]);
  }
  size_t next = 0;
  for (size_t i = 0; i < lines_.size(); ++i)
    if (is_statement[i]) lines_[i] = statements[next++];
}

RandomProgram random_program(uint64_t seed, bool transcendental) {
  return RandomMaker(seed, transcendental).make();
}

}  // namespace stencilc::run_test
