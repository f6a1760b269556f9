// footprints < rows: what plan/footprint counts of kernels that were measured, for fit.py. A row
// holds a file and a schedule; a line of the output the launches of a step, apart by `;`.
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "plan/analysis/footprint.h"
#include "plan/syntax/parse_schedule.h"
#include "support/analysed.h"

using namespace stencilc;

int main() {
  const plan::Device& device = *plan::find_device("sm_90");
  std::map<std::string, ir::Stencil> stencils;
  std::string file, text;
  while (std::cin >> file >> text) {
    if (stencils.count(file) == 0) {
      std::ifstream in(file);
      std::stringstream all;
      all << in.rdbuf();
      stencils.emplace(file, testing::canonical(all.str()));
    }
    const ir::Stencil& stencil = stencils.at(file);
    const plan::Choice choice = plan::parse(text, stencil, plan::Target::cuda, device);
    if (!choice.problem.empty()) {
      std::cerr << text << ": " << choice.problem << "\n";
      return 1;
    }
    const plan::Schedule& schedule = choice.schedule;
    for (const plan::Launch& launch : schedule.stages.launches) {
      if (launch.stores.empty()) continue;
      const plan::Reads reads = plan::reads_of(stencil, launch);
      const plan::Footprint one = plan::footprint_of(reads, schedule, stencil.rank());
      const std::array<int, 3> tile = schedule.tile();
      std::cout << one.cells << ' ' << one.passes << ' ' << one.extra << ' ' << one.accesses << ' '
                << one.loaded << ' ' << one.held << ' ' << one.fresh << ' ' << one.moved << ' '
                << one.fetched << ' ' << one.around << ' ' << one.along << ' ' << one.compulsory
                << ' ' << one.stored << ' ' << one.arrays << ' ' << one.plane_bytes << ' '
                << one.stages << ' ' << reads.work.f32 << ' ' << reads.work.f64 << ' '
                << reads.work.integer << ' ' << reads.work.divisions << ' ' << reads.work.functions
                << ' ' << tile[0] << ' ' << tile[1] << ' ' << tile[2] << ' '
                << schedule.threads[0] * schedule.threads[1] * schedule.threads[2] << ' '
                << schedule.resident << ' ' << reads.widest << ' ' << one.shuffled << ' '
                << reads.rows.size() << ';';
    }
    std::cout << '\n';
  }
}
