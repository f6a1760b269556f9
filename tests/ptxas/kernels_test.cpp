// The kernels of the benchmark set and of the examples, as nvcc compiles them with the schedules
// that the compiler chooses.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <type_traits>

#include "ptxas/nvcc.h"
#include "ptxas/rules.h"

namespace stencilc::ptxas {
namespace {

#ifdef STENCILC_ALL_TESTS
constexpr bool all_tests = true;
#else
constexpr bool all_tests = false;
#endif

// There is time for a part of the kernels, but for one at least of each kind, which a test below
// makes sure of. These programs have all tests alone.
const std::set<std::string> left_out = {
    // Stencils of the benchmark set, which has them in one step.
    "star2d", "star3d", "box2d", "box3d",
    // Several steps: there are box2d1_f32_chosen, box2d1_f64_chosen, star2d1_f64_chosen, laplace,
    // heat, and what temporal_test.cpp has.
    "box2d2_f32_chosen", "box2d2_f64_chosen", "star2d1_f32_chosen", "star2d2_f32_chosen",
    "star2d2_f64_chosen", "star2d4_f32_chosen", "star2d4_f64_chosen",
    // Several steps of several levels or stages: there are gray_scott, burgers2d and duct.
    "hotspot", "wave2d",
    // Planes: there are fdtd3d, atmosphere and hdiff.
    "elastic3d", "heat3d",
    // Windows of u8: there are box2d1_u8 and sobel.
    "conv5x5", "erosion", "median"};

// These are compiled for indices of both widths: examples that are golden cases, and programs that
// have the other ways through the grid and types of cells. Of all others indices are of 32 bits.
const std::set<std::string> whole = {
    "advection", "conjugate_gradient", "diffusion3d", "fdtd2d", "gray_scott", "heat", "laplace",
    // Besides.
    "acoustic", "box2d1_f16", "box2d1_f32_chosen", "box3d1_f32", "box3d1_f64", "conv31_f64",
    "conv7_f32", "gauss_seidel", "gaussian", "lattice_boltzmann", "phase_field", "shallow_water",
    "tvd", "wave3d"};

std::vector<Program> part_of(std::vector<Program> programs, bool of_whole) {
  std::erase_if(programs, [&](const Program& one) {
    return left_out.contains(one.name) || whole.contains(one.name) != of_whole;
  });
  return programs;
}

std::vector<CompiledUnit> compile_all() {
  std::vector<Unit> units;
  const auto add = [&](const std::string& name, const char* arch,
                       const std::vector<Program>& programs, size_t count, Extent extent) {
    for (Unit& unit : units_of(name, arch, programs, count, extent))
      units.push_back(std::move(unit));
  };
  const std::vector<Program> examples = other_examples(), benchmarks = benchmark_programs();
  if (all_tests) {
    add("examples", "sm_90", examples, 4, Extent::all);
    add("benchmarks", "sm_90", benchmarks, 2, Extent::all);
    // It gets other schedules, but no other expressions: one type is enough.
    add("benchmarks", "sm_80", benchmark_programs({"f32"}), 2, Extent::all);
  } else {
    add("examples_whole", "sm_90", part_of(examples, true), 1, Extent::all);
    add("benchmarks_whole", "sm_90", part_of(benchmarks, true), 1, Extent::kernels);
    add("examples", "sm_90", part_of(examples, false), 2, Extent::narrow_kernels);
    add("benchmarks", "sm_90", part_of(benchmarks, false), 1, Extent::narrow_kernels);
  }
  return compile(units);
}

const std::vector<CompiledUnit>& all_units() {
  static const std::vector<CompiledUnit> compiled = compile_all();
  return compiled;
}

// "laplace::step<int>" as "laplace::step"; a kernel of the runtime has no program.
// The variants "laplace::advance_rows<int, 12, false, true>" are those of "laplace::advance_steps";
// so are those of blocks in space, "star3d1::advance_planes<int, 5, false, false>".
std::string of_both_widths(const std::string& kernel) {
  for (const char* form : {"_rows<", "_planes<"})
    if (is_called(kernel) && kernel.find(form) != std::string::npos)
      return kernel.substr(0, kernel.find(form)) + "_steps";
  return kernel.substr(0, kernel.find('<'));
}

const Emitted* program_of(const CompiledUnit& compiled, const std::string& kernel) {
  for (const Emitted& program : compiled.unit.programs)
    if (program.threads.count(of_both_widths(kernel)) != 0) return &program;
  return nullptr;
}

// "laplace::advance_steps<int, 12>": near the boundary, and near the ends of their stream, these
// have variants of their own, in which lanes differ and what time steps keep is in memory; see
// temporal_test.cpp.
bool streams_several_steps(const std::string& kernel) {
  return kernel.find(", ", kernel.find('<')) != std::string::npos;
}

// Also "laplace::resident_tile_steps<int>", whose blocks at the boundary have variants of their
// own, too.
bool takes_several_steps(const std::string& kernel) {
  return streams_several_steps(kernel) ||
         kernel.find("::resident_tile_steps<") != std::string::npos;
}

bool is_narrow(const std::string& kernel) {
  return kernel.ends_with("<int>") || kernel.find("<int, ") != std::string::npos;
}

struct OfProgram {
  const Kernel& kernel;
  const Emitted& program;
  std::string where;  // "laplace::step<int> on sm_90"
};

template <class Look>
void for_each_kernel(const Look& look) {
  for (const CompiledUnit& compiled : all_units())
    for (const Kernel& kernel : compiled.kernels)
      if (const Emitted* program = program_of(compiled, kernel.name))
        look(OfProgram{kernel, *program, kernel.name + " on " + compiled.unit.arch});
}

void expect_none(const Findings& found, const std::string& where) {
  for (const std::string& line : found) ADD_FAILURE() << where << ": " << line;
}

class kernels : public testing::Test {
 protected:
  void SetUp() override {
#ifndef STENCILC_NVCC
    GTEST_SKIP() << "no nvcc on this machine, which would compile the examples";
#endif
  }
};

TEST_F(kernels, exist_for_the_widths_of_indices_that_are_requested) {
  for (const CompiledUnit& compiled : all_units()) {
    std::set<std::string> in_ptx, in_log;
    for (const Kernel& kernel : compiled.kernels) in_ptx.insert(kernel.name);
    for (const Resources& resources : compiled.resources) in_log.insert(resources.kernel);
    EXPECT_EQ(in_ptx, in_log);
    for (const Emitted& program : compiled.unit.programs)
      for (const auto& [kernel, threads] : program.threads)
        for (const std::string width : {"<int", "<long"}) {
          const bool wanted = width == "<int" || compiled.unit.extent != Extent::narrow_kernels;
          const auto first = in_ptx.lower_bound(kernel + width + ",");
          const bool several = first != in_ptx.end() && first->starts_with(kernel + width + ",");
          EXPECT_EQ(in_ptx.count(kernel + width + ">"), several || !wanted ? 0u : 1u)
              << kernel << width;
          EXPECT_TRUE(wanted || !several) << kernel << width;
        }
  }
}

TEST_F(kernels, of_the_benchmark_set_are_complete) {
  std::map<std::string, int> programs;
  for (const CompiledUnit& compiled : all_units())
    if (compiled.unit.name.starts_with("benchmarks"))
      programs[compiled.unit.arch] += static_cast<int>(compiled.unit.programs.size());
  // Nine stencils and three convolutions in f32, and on sm_90 in f64, five of them also with the
  // steps that are chosen, one stencil in f16, one in u8, two examples.
  std::map<std::string, int> expected = {{"sm_90", 31}};
  if (all_tests) expected = {{"sm_90", 38}, {"sm_80", 21}};
  EXPECT_EQ(programs, expected);
}

// Each kind of kernel, and with indices of 64 bits each way through the grid and each type of
// cells.
TEST_F(kernels, of_each_kind_are_compiled) {
  std::set<std::string> names, kinds, wide;
  const auto parts_of = [](const std::string& kind) {
    const size_t type = kind.rfind(' ');
    return std::set<std::string>{kind.substr(0, type), kind.substr(type)};
  };
  for (const CompiledUnit& compiled : all_units())
    for (const Emitted& program : compiled.unit.programs) {
      names.insert(program.name);
      kinds.insert(program.kinds.begin(), program.kinds.end());
      if (compiled.unit.extent != Extent::narrow_kernels)
        for (const std::string& kind : program.kinds) wide.merge(parts_of(kind));
    }
  std::set<std::string> all = kinds;
  for (const auto& programs : {benchmark_programs(), other_examples()})
    for (const Program& program : programs)
      if (names.insert(program.name).second) {
        EXPECT_TRUE(left_out.contains(program.name)) << program.name;
        all.merge(emitted(program, "sm_90").kinds);
      }
  for (const std::string& kind : all) {
    EXPECT_TRUE(kinds.contains(kind)) << kind;
    for (const std::string& part : parts_of(kind)) EXPECT_TRUE(wide.contains(part)) << part;
  }
  EXPECT_GT(all.size(), 30u);
  for (const auto& list : {left_out, whole})
    for (const std::string& name : list) EXPECT_TRUE(names.contains(name)) << name;
}

// What the lists of exceptions below say of kernels that are compiled. With all tests these are
// all, and a name that leads to none is not needed.
template <class List>
List of_compiled(List list) {
  if (all_tests) return list;
  std::set<std::string> compiled;
  for_each_kernel([&](const OfProgram& of) {
    compiled.insert(of.where);
    compiled.insert(of_both_widths(of.kernel.name));
  });
  std::erase_if(list, [&](const auto& one) {
    if constexpr (std::is_same_v<List, std::set<std::string>>)
      return !compiled.contains(one);
    else
      return !compiled.contains(one.first);
  });
  return list;
}

// Those that need local memory. None is of one step and of the benchmark set, which must do
// without, but for indices of 64 bits.
const std::map<std::string, std::string> local_memory = {
    // Grids of 2^31 cells alone.
    {"box3d2::step<long> on sm_90",
     "32 bytes of stack, 52 of spill stores, 48 of spill loads, 0 local"},
    {"wave3d::step<long> on sm_90",
     "72 bytes of stack, 128 of spill stores, 68 of spill loads, 0 local"},
    {"star2d1_f32_chosen::resident_tile_steps<int> on sm_80",
     "8 bytes of stack, 4 of spill stores, 4 of spill loads, 0 local"},
    {"heat::advance_steps<int, 11> on sm_90",
     "16 bytes of stack, 20 of spill stores, 20 of spill loads, 0 local"},
    {"heat::advance_steps<long, 11> on sm_90",
     "56 bytes of stack, 60 of spill stores, 76 of spill loads, 0 local"},
    {"star2d4_f32_chosen::resident_tile_steps<long> on sm_90",
     "8 bytes of stack, 4 of spill stores, 12 of spill loads, 0 local"},
};

TEST_F(kernels, spill_nothing_and_have_no_stack) {
  std::map<std::string, std::string> found;
  for (const CompiledUnit& compiled : all_units()) {
    std::set<std::string> calling;
    for (const Resources& resources : compiled.resources)
      if (is_called(resources.kernel)) calling.insert(of_both_widths(resources.kernel));
    for (const Resources& resources : compiled.resources) {
      // The text for warps inside has all registers to itself; those of warps near the boundary,
      // few of all, spill.
      if (is_called(resources.kernel)) {
        const bool inside = resources.kernel.find("true") == std::string::npos;
        // Indices of 64 bits take more: grids of 2^31 cells lose some bytes a row. And a text in
        // space has the planes near the ends of the stream, too.
        const bool wide = resources.kernel.find("<long") != std::string::npos;
        const bool in_space = resources.kernel.find("_planes<") != std::string::npos;
        const int most = wide ? 64 : in_space || compiled.unit.arch == "sm_80" ? 8 : 0;
        EXPECT_LE(resources.spill_stores + resources.spill_loads, inside ? most : 1000)
            << resources.kernel << ": " << memory_of(resources);
        continue;
      }
      EXPECT_GT(resources.registers, 0) << resources.kernel;
      // A kernel that calls does nothing else: it may spill what it has before the call.
      const bool calls = calling.count(of_both_widths(resources.kernel)) > 0;
      if (streams_several_steps(resources.kernel) && resources.spill_stores <= (calls ? 64 : 0) &&
          resources.spill_loads == 0)
        continue;
      if (!resources.without_local_memory())
        found[resources.kernel + " on " + compiled.unit.arch] = memory_of(resources);
    }
  }
  EXPECT_EQ(found, of_compiled(local_memory)) << "more is a loss; less: take it out of the list";
}

TEST_F(kernels, declare_no_local_arrays) {
  for_each_kernel([](const OfProgram& of) {
    EXPECT_TRUE(!of.kernel.local || streams_several_steps(of.kernel.name)) << of.where;
  });
}

TEST_F(kernels, compute_in_no_f64_where_the_program_has_none) {
  int without = 0, with = 0;
  for_each_kernel([&](const OfProgram& of) {
    const Findings found = doubles(of.kernel);
    if (of.program.has_f64) {
      with += found.empty() ? 0 : 1;
      return;
    }
    ++without;
    expect_none(found, of.where);
  });
  EXPECT_GT(without, all_tests ? 100 : 60);
  EXPECT_GT(with, all_tests ? 50 : 25);  // the rule sees f64 where it is
}

TEST_F(kernels, of_32_bit_indices_multiply_and_divide_in_32_bits) {
  int wide = 0;
  for_each_kernel([&](const OfProgram& of) {
    const Findings found = wide_products(of.kernel);
    if (is_narrow(of.kernel.name))
      expect_none(found, of.where);
    else
      wide += found.empty() ? 0 : 1;
  });
  EXPECT_GT(wide, all_tests ? 50 : 20);  // the rule sees 64-bit products where they are
}

TEST_F(kernels, have_the_launch_bounds_of_the_schedule) {
  for_each_kernel([](const OfProgram& of) {
    if (is_called(of.kernel.name)) return;
    EXPECT_EQ(of.kernel.threads, of.program.threads.at(of_both_widths(of.kernel.name))) << of.where;
  });
}

// Where what is divided is not made of params alone, and a product with a reciprocal would have
// other bits.
const std::set<std::string> dividing_by_scalars = {
    "burgers2d::advance_steps",  // first derivatives by hx and hy
    "burgers2d::step",           // and of one step
    "chebyshev::step",           // a power by delta, in each thread
    "phase_field::step",         // sums with products of derivatives by h
    "shallow_water::step",       // differences by hx and hy
    "srad::update_c",            // sums over a part of the grid by its size, in each thread
    "wave_sponge2d::step",       // the depth within the sponge by its width
};

TEST_F(kernels, divide_by_scalars_only_where_bits_depend_on_it) {
  std::set<std::string> found;
  for_each_kernel([&](const OfProgram& of) {
    if (!scalar_divisions(of.kernel).empty()) found.insert(of_both_widths(of.kernel.name));
  });
  EXPECT_EQ(found, of_compiled(dividing_by_scalars));
}

TEST_F(kernels, compute_no_scalar_quotients_inside_loops) {
  for_each_kernel([](const OfProgram& of) { expect_none(scalars_in_loops(of.kernel), of.where); });
}

// Their blocks compute values in tiles from cells that they load again when all have done so: in
// between these would only take registers.
const std::set<std::string> loading_again = {"phase_field::step"};

TEST_F(kernels, load_nothing_twice) {
  std::set<std::string> found;
  for_each_kernel([&](const OfProgram& of) {
    const std::string name = of_both_widths(of.kernel.name);
    const Findings loads = repeated_loads(of.kernel);
    if (!loading_again.contains(name))
      expect_none(loads, of.where);
    else if (!loads.empty())
      found.insert(name);
  });
  EXPECT_EQ(found, of_compiled(loading_again));
}

// A tile of the only axis, which a block of one warp holds.
bool holds_a_tile(const Kernel& kernel) {
  return kernel.name.find("::resident_tile_steps<") != std::string::npos && kernel.threads == 32;
}

// A thousandth of what these do is to store their vectors.
bool sums_in_loops(const Kernel& kernel) {
  return kernel.name.starts_with("conv15_") || kernel.name.starts_with("conv31_");
}

// A vector of a lane ends where that of the next begins, and the widest are 32 bytes. Those of
// tiles have 16 cells, which are loaded and stored once for many steps; those of sums in loops
// have 64 bytes.
TEST_F(kernels, let_neighbouring_lanes_access_what_lies_side_by_side) {
  for_each_kernel([](const OfProgram& of) {
    const int widest = holds_a_tile(of.kernel) ? 128 : sums_in_loops(of.kernel) ? 64 : 32;
    expect_none(scattered_accesses(of.kernel, widest), of.where);
  });
}

// One thread asks for the boxes of all others, and once a stage a block asks whether there are
// maps for them.
bool copies_boxes(const Kernel& kernel) {
  for (const Block& block : kernel.blocks)
    for (const Instruction& one : block.instructions)
      if (one.opcode.starts_with("mbarrier.")) return true;
  return false;
}

// Whose lanes have different work by their place.
const std::set<std::string> diverging = {
    "box2d1_f16::step",         // lanes at the ends of a warp load what no other lane has
    "cg_product::step",         // with 64-bit indices ends of rows are as busy as what lies inside
    "phase_field::step",        // some threads of a block compute values of cells around it
    "srad::reduce",             // what the lanes of a warp have is folded
    "wave_sponge2d::step",      // whether a divisor is rare depends on the place
    "wave_sponge2d::inject_u",  // a lane for each point of a list
    "wave_sponge3d::inject_u",
};
// Before sm_90 threads fill a tile, the last round not all of them.
const std::set<std::string> diverging_before = {"conv15_f32::step", "conv31_f32::step"};

TEST_F(kernels, keep_the_lanes_of_a_warp_together) {
  std::set<std::string> found;
  bool boxes = false;
  for_each_kernel([&](const OfProgram& of) {
    // Ghost cells of values are few, and each lies elsewhere.
    if (of.kernel.name.find("::ghost_cells_of_") != std::string::npos) return;
    if (takes_several_steps(of.kernel.name) || diverging_lanes(of.kernel).empty()) return;
    if (copies_boxes(of.kernel))
      boxes = true;
    else
      found.insert(of_both_widths(of.kernel.name));
  });
  std::set<std::string> expected = of_compiled(diverging);
  if (all_tests) expected.insert(diverging_before.begin(), diverging_before.end());
  EXPECT_EQ(found, expected);
  EXPECT_TRUE(boxes);  // the rule sees the thread that asks for boxes
}

TEST_F(kernels, test_before_loops_what_is_the_same_for_all_cells) {
  for_each_kernel([](const OfProgram& of) {
    if (!copies_boxes(of.kernel) && !takes_several_steps(of.kernel.name))
      expect_none(scalar_branches_in_loops(of.kernel), of.where);
  });
}

// With 64-bit indices nvcc breaks all vectors of a store into single values; the loads stay whole.
TEST_F(kernels, of_32_bit_indices_store_vectors_whole) {
  int split = 0;
  for_each_kernel([&](const OfProgram& of) {
    const Findings found = split_stores(of.kernel);
    if (is_narrow(of.kernel.name))
      expect_none(found, of.where);
    else
      split += found.empty() ? 0 : 1;
  });
  EXPECT_GT(split, 0) << "hold the kernels of 64-bit indices to the rule, too";
}

}  // namespace
}  // namespace stencilc::ptxas
