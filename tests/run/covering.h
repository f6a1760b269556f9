// A covering design of the run tests: rows of (strategy, boundaries, element types, stages, width
// of indices), chosen so that every pair of values of two of these factors is in some row. A
// strategy belongs to a rank and a target, so that pairs with them are covered with it.
//
// Method: a greedy pairwise covering array with a fixed seed (as in D. M. Cohen et al., The AETG
// system, IEEE Trans. Softw. Eng. 23(7), 1997, section 3), in which the compiler says which rows
// are legal. A pair that no legal row has is listed with the compiler's reason.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/verify/cases.h"
#include "run/programs.h"
#include "run/trials.h"

namespace stencilc::run_test {

struct Row {
  std::string strategy;                 // a name of strategies()
  std::array<std::string, 2> boundary;  // names of kinds, on opposite sides of the axes
  std::array<std::string, 2> type;      // of `u`, and of the second field
  std::string stages;                   // a name of stages()
  bool wide = false;                    // indices of 64 bits
  bool far = false;                     // reads of cells two away, too (corners in 3-D: three)
};

struct Strategy {
  std::string name;  // "stream gather 2-D"
  plan::Target target = plan::Target::cuda;
  int rank = 1;
  std::string shape;     // of the reads: star, corner (a star and more), sum (a star
                         // alone beside the cell), box, life
  std::string schedule;  // as --schedule takes it, without the stages
};
const std::vector<Strategy>& strategies();
const Strategy& strategy_of(const Row& row);

Program program_of(const Row& row);
std::string schedule_of(const Row& row);

// The row as compiled; nothing, and the reason, where the compiler refuses it or takes another
// schedule than the one that is requested.
std::optional<driver::Compiled> compile(const Row& row, const std::string& tag, std::string& why);

struct Covering {
  std::vector<Row> rows;
  std::map<std::string, std::string> impossible;  // pairs: "strategy: value", with the reason
};
Covering make_covering();
std::string print(const Covering& covering);  // as it stands in tests/run/covering.txt
Covering read_covering(const std::string& text);

// The pairs of the row: "strategy: value" and "value, value".
std::vector<std::string> pairs_of(const Row& row);
// All pairs there could be.
std::vector<std::string> all_pairs();

// The launch that takes all cells; others are for points.
const kernel::Launch& sweep_of(const driver::Compiled& compiled);

// The runs of a row: two grids in which a block reads nothing outside the grid and others do, one
// with rows that vectors fill and one with rows that they do not; and a quarter of the sizes at
// which kernels go wrong, another quarter for the next row.
std::vector<driver::Case> cases_of(const driver::Compiled& compiled, size_t row);

// Compiles the rows of the list that are in the part, runs them and compares every cell with the
// interpreter. Of the settings: part, parts, verbose and work_folder.
Outcome run_covering(const std::filesystem::path& list, const Settings& settings);

}  // namespace stencilc::run_test
