// Launches that compute boxes of the grid: whatever boxes the host cuts it into, in whatever order,
// cells have the bits that a launch of the whole grid gives them, which are the interpreter's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "driver/system/files.h"
#include "driver/verify/compare.h"
#include "run/all_tests.h"
#include "run/batch.h"
#include "run/covering.h"

namespace stencilc::run_test {
namespace {

// Where an axis is cut: in front of a part of uneven length; the last axis also behind one cell, in
// front of another, and nowhere new, so that a box is empty. Returns the parts.
int cut_axis(int axis, bool last, std::string& text) {
  const std::string n = "shape.n" + std::string(1, "xyz"[axis]);
  const auto cut = [&](const std::string& at) { return n + " > 4 ? " + at + " : " + n + " > 1"; };
  const std::string some = cut(n + " / 3 + 1");
  std::vector<std::string> cuts = {"0", some, n};
  if (last) cuts = {"0", n + " > 1", some, some, cut(n + " - 1"), n};
  text += fmt::format("const int64_t cuts_{}[] = {{{}}}; ", axis, fmt::join(cuts, ", "));
  return static_cast<int>(cuts.size()) - 1;
}

bool is_cut_along(const kernel::Module& module, int axis) {
  return std::none_of(module.launches.begin(), module.launches.end(),
                      [&](const kernel::Launch& launch) {
                        return launch.is_cut() && launch.cuts[axis].first.empty();
                      });
}

// An array of which a launch has the piece that the box needs, in memory of its own: what lies
// beyond is NaN, and stays. Afterwards the box's cells go back, and where any other one has changed
// all of the array is overwritten, so that nothing agrees.
constexpr const char* kHeld = R"(
#ifndef BOXES_TEST_HELD
#define BOXES_TEST_HELD
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if !defined(__CUDACC__) && !defined(__CUDA__)
inline void* allocate(size_t bytes) { return malloc(bytes); }
inline void release(void* memory) { free(memory); }
#else  // boxes are copied from memory of the device alone, which the executor's host reads, too
inline void* allocate(size_t bytes) {
  void* memory = nullptr;
  (void)cudaMalloc(&memory, bytes);
  return memory;
}
inline void release(void* memory) { (void)cudaFree(memory); }
#endif
struct Around {
  int64_t extent[3], stride[3], halo[3];  // a stride of 0: the array does not have the axis
  int last;                               // the slowest axis
};
// The planes of a box and so many beside it, of which so many may lie outside the grid.
inline stencil::Piece piece_of(const Around& of, const stencil::Box& box, int64_t beside,
                               int64_t outside) {
  const int64_t end = of.extent[of.last] + outside;
  const int64_t low = box.first[of.last] - beside, high = box.end[of.last] + beside;
  const int64_t first = low < -outside ? -outside : low;
  return {first, (high < end ? high : end) - first};
}
template <class Given>
struct Held {
  template <class T> struct Plain { using type = T; };
  template <class T> struct Plain<const T> { using type = T; };
  using T = typename Plain<Given>::type;
  // `origin`: where the pointer points along the last axis.
  Held(Given* all, const Around& around, const stencil::Box& one, const stencil::Piece& of,
       int64_t origin, bool wraps)
      : whole(const_cast<T*>(all)), shape(around), box(one), piece(of) {
    const int last = shape.last;
    if (shape.stride[last] == 0) piece = {0, 1};
    for (int a = 0; a < last; ++a) {
      front += shape.halo[a] * shape.stride[a];
      row += (cells(a) - 1 + 2 * shape.halo[a]) * shape.stride[a];
    }
    const int64_t stride = shape.stride[last];
    count = (piece.planes - 1) * stride + row;
    const int64_t guard = 2 * stride + 2 * row + 256;
    bytes = (count + 2 * guard) * sizeof(T);
    memory = static_cast<char*>(allocate(bytes + 256));
    before = static_cast<char*>(malloc(bytes));
    // Aligned as the array is.
    const int64_t to = guard + front + (stride == 0 ? 0 : origin - piece.first) * stride;
    const uintptr_t wanted = reinterpret_cast<uintptr_t>(whole) & 255;
    const uintptr_t here = reinterpret_cast<uintptr_t>(memory) + to * sizeof(T);
    start = memory + ((wanted - here) & 255);
    at = reinterpret_cast<T*>(start) + to;
    first = reinterpret_cast<T*>(start) + guard + front;
    memset(start, 0xff, bytes);
    for (int64_t p = 0; p < piece.planes; ++p) {
      const int64_t n = cells(last);
      int64_t from = piece.first + p;
      if (wraps && (from < 0 || from >= n)) from = (from % n + n) % n;
      if (from < -shape.halo[last] || from >= n + shape.halo[last]) continue;
      memcpy(first - front + p * stride, whole - front + from * stride, row * sizeof(T));
    }
    memcpy(before, start, bytes);
  }
  Held(const Held&) = delete;
  ~Held() {
    bool changed = false;
    for (int64_t z = low(2); z < high(2); ++z)
      for (int64_t y = low(1); y < high(1); ++y)
        for (int64_t x = low(0); x < high(0); ++x) {
          const int64_t to = x * shape.stride[0] + y * shape.stride[1] + z * shape.stride[2];
          T* from = first + to - (shape.stride[shape.last] == 0 ? 0 : piece.first) *
                                     shape.stride[shape.last];
          char* old = before + (reinterpret_cast<char*>(from) - start);
          if (memcmp(old, from, sizeof(T)) == 0) continue;
          memcpy(old, from, sizeof(T));
          memcpy(whole + to, from, sizeof(T));
        }
    changed = memcmp(before, start, bytes) != 0;
    if (changed)
      for (int64_t p = 0; p < cells(shape.last); ++p)
        memset(static_cast<void*>(whole + p * shape.stride[shape.last]), 0xff, sizeof(T));
    release(memory);
    free(before);
  }
  int64_t cells(int a) const { return shape.stride[a] == 0 ? 1 : shape.extent[a]; }
  int64_t low(int a) const { return shape.stride[a] == 0 ? 0 : box.first[a]; }
  int64_t high(int a) const { return shape.stride[a] == 0 ? 1 : box.end[a]; }
  T *whole, *at, *first;
  Around shape;
  stencil::Box box;
  stencil::Piece piece;
  int64_t front = 0, row = 1, count = 0;
  size_t bytes = 0;
  char *memory = nullptr, *start = nullptr, *before = nullptr;
};
#endif
)";

const ir::Field& field_of(const driver::Compiled& program, const kernel::Grid& grid) {
  return program.stencil.fields[&grid - program.module.grids.data()];
}
bool wraps(const driver::Compiled& program, const kernel::Grid& grid) {
  return field_of(program, grid).boundary.sides[program.stencil.rank() - 1][0].edge ==
         ir::Edge::periodic;
}
std::string numbers(const std::vector<std::string>& all) {
  return "{" + all[0] + ", " + all[1] + ", " + all[2] + "}";
}

// How far a launch reads beyond a box along the last axis, t+1 of a neighbour through what that
// reads. Samples may reach one cell further than the box.
int reach_of(const driver::Compiled& program) {
  const ir::Stencil& stencil = program.stencil;
  int stored = program.stencil.samples.empty() ? 0 : 1, made = 0;
  for (const ir::ExprPtr& node : ir::nodes_of(stencil))
    if (const auto* read = ir::as<ir::Read>(node)) {
      int& reach = read->level == 1 ? made : stored;
      reach = std::max(reach, std::abs(read->offset[stencil.rank() - 1]));
    }
  int steps = 1;
  for (const kernel::Launch& launch : program.module.launches)
    steps = std::max(steps, launch.kernel.most_steps);
  return steps * (stored + made);
}

// The array that a launch has instead of a grid's.
std::string held(const driver::Compiled& program, const kernel::Grid& grid) {
  const kernel::Module& module = program.module;
  std::vector<std::string> strides(3, "0"), halo(3, "0");
  for (size_t k = 0; k < grid.axes.size(); ++k) {
    const int a = grid.axes[k];
    const bool own = grid.axes.size() < module.extents.size();
    strides[a] = k == 0 ? "1" : own ? grid.pitch : k == 1 ? "shape.pitch" : "shape.plane";
    halo[a] = !own                ? "shape.h" + std::string(1, "xyz"[a])
              : grid.halo.empty() ? "0"
                                  : std::to_string(grid.halo[k]);
  }
  const std::string rank = std::to_string(program.stencil.rank() - 1);
  const std::string around = "Around{{shape.nx, shape.ny, shape.nz}, " + numbers(strides) + ", " +
                             numbers(halo) + ", " + rank + "}";
  const bool rotates = grid.role == kernel::Grid::stepped && grid.buffers > 1;
  const std::string from = "whole_" + grid.name, one = "held_" + grid.name;
  std::string text = " const auto " + from + " = " + grid.name + ";", all;
  for (int n = 0; n < (rotates ? grid.buffers : 1); ++n) {
    const std::string nth = rotates ? "[" + std::to_string(n) + "]" : "",
                      name = one + "_" + std::to_string(n);
    text += " const Held " + name + "(" + from + nth + ", " + around + ", box, held_piece, " +
            (module.piece.empty() ? "0" : "held_piece.first") + ", " +
            (wraps(program, grid) ? "true" : "false") + ");";
    all += (n == 0 ? "" : ", ") + name + ".at";
  }
  return text + (rotates
                     ? " typename decltype(" + one + "_0)::T* " + grid.name + "[] = {" + all + "};"
                     : " auto* const " + grid.name + " = " + all + ";");
}

// Statements of the host's function that begin so.
std::string statements(const std::string& text, const std::string& begin) {
  std::string all;
  const std::string line = "\n  " + begin;
  for (size_t at = text.find(line); at != std::string::npos; at = text.find(line, at + 1))
    all += text.substr(at, text.find(';', at) + 1 - at);
  return all;
}

// What a launch of a box finds declared in the place of the grid's: the arrays of its piece, and
// what follows from them.
std::string held(const driver::Compiled& program) {
  const kernel::Module& module = program.module;
  bool outside = false;
  std::string arrays;
  for (const kernel::Grid& grid : module.grids) {
    if (!grid.used) continue;
    arrays += held(program, grid);
    outside = outside || wraps(program, grid);
  }
  const std::string last = std::to_string(program.stencil.rank() - 1),
                    halo = "shape.h" + std::string(1, "xyz"[program.stencil.rank() - 1]);
  const bool pieces = !module.piece.empty();
  // All of the grid, or so many planes beside those of the box.
  const std::string reach = pieces ? std::to_string(reach_of(program)) : "int64_t{1} << 40";
  std::string text =
      " const stencil::Piece held_piece = piece_of({{shape.nx, shape.ny, shape.nz}, {}, {}, " +
      last + "}, box, " + reach + ", " + (pieces && outside ? reach : halo) + ");" + arrays;
  if (pieces)
    text += " const Index " + module.origin + " = static_cast<Index>(held_piece.first), " +
            module.planes + " = static_cast<Index>(held_piece.planes);" + " const stencil::Shape " +
            module.held + " = held_piece.of_memory(shape); (void)" + module.held + ";";
  if (!module.mapped.empty())
    text += " const bool can_map = " + module.mapped + "; bool " + module.mapped + " = can_map;" +
            statements(program.source, "st::Map ") +
            statements(program.source, module.mapped + " = " + module.mapped + " &&");
  return text + statements(program.source, "stencil::Textures<");
}

// The program, whose launches compute boxes one by one in an order of the seed.
bool cut(driver::Compiled& program, uint64_t seed) {
  const std::string whole = "const stencil::Box boxes[] = {stencil::Box::of(shape)};";
  const size_t at = program.source.find(whole);
  if (at == std::string::npos) return false;
  std::vector<std::string> boxes;
  std::string text;
  std::vector<std::array<std::string, 2>> of_axes[3];
  for (int a = 0; a < 3; ++a) {
    const std::string axis = std::to_string(a), n = "shape.n" + std::string(1, "xyz"[a]);
    if (a >= program.stencil.rank() || !is_cut_along(program.module, a)) {
      of_axes[a].push_back({"0", n});
      continue;
    }
    const int parts = cut_axis(a, a == program.stencil.rank() - 1, text);
    for (int part = 0; part < parts; ++part)
      of_axes[a].push_back({"cuts_" + axis + "[" + std::to_string(part) + "]",
                            "cuts_" + axis + "[" + std::to_string(part + 1) + "]"});
  }
  for (const auto& x : of_axes[0])
    for (const auto& y : of_axes[1])
      for (const auto& z : of_axes[2])
        boxes.push_back("{{" + x[0] + ", " + y[0] + ", " + z[0] + "}, {" + x[1] + ", " + y[1] +
                        ", " + z[1] + "}}");
  std::shuffle(boxes.begin(), boxes.end(), std::mt19937_64(seed));
  text += "const stencil::Box boxes[] = {";
  for (const std::string& box : boxes) text += box + ", ";
  program.source.replace(at, whole.size(), text + "};");
  const std::string begin = "if (box.empty()) continue;", more = held(program);
  for (size_t loop = program.source.find(begin); loop != std::string::npos;
       loop = program.source.find(begin, loop + begin.size()))
    program.source.insert(loop + begin.size(), more);
  const size_t header = program.source.find("#include \"");
  program.source.insert(program.source.find('\n', header) + 1, kHeld);
  return true;
}

struct Member {
  std::string what;
  driver::Compiled program;
  std::vector<driver::Case> cases;
};

void expect_agreement(const Member& member, const driver::Machine& machine) {
  ASSERT_TRUE(machine.call) << machine.problem << "\n" << member.what;
  for (const driver::Case& test : member.cases)
    EXPECT_EQ(driver::compare(member.program, machine, test, 0), "")
        << member.what << ", " << driver::print(test);
}

void run(std::vector<Member>& members, plan::Target target) {
  std::vector<const driver::Compiled*> programs;
  for (const Member& one : members) programs.push_back(&one.program);
  const Batch batch =
      target == plan::Target::cuda
          ? execute_batch(programs)
          : build_batch(programs,
                        std::filesystem::path(STENCILC_BINARY_DIR) / "tests/run/boxes" /
                            programs[0]->module.file,
                        unoptimized(driver::compiler_for(plan::Target::cpu, {})), {}, true);
  ASSERT_EQ(batch.problem, "");
  for (size_t m = 0; m < members.size(); ++m) {
    if (target == plan::Target::cuda) batch.machines[m].set_mode(true, true);
    expect_agreement(members[m], batch.machines[m]);
  }
  members.clear();
}

// Fields on some of the axes, and values of coordinates and extents.
constexpr const char* kParts = R"(
stencil parts {
  axes x, y, z;
  field f32 u  boundary { x: clamp; y: periodic; z: periodic; }
  field f32 a(z)  boundary periodic;
  field f64 b(x, z)  boundary clamp;
  field i32 c(y, z)  boundary periodic;
  field i32 d(x, y)  boundary clamp;
  u[t+1] = 0.3*u[z-1] + 0.2*u[y+1] + 0.1*f32(nz - z)*a[z+2] + f32(b[x-1, z-1])
           + 0.01*f32(c[y+1, z+1] + d[y-1]);
}
)";

// A value and a stage that blocks keep in tiles.
constexpr const char* kTiles = R"(
stencil tiles {
  axes x, y;
  field f32 u, v boundary { x: mirror; y: clamp; }
  field f32 k in boundary clamp;
  let flux = k * (u[x+1] - u);
  v[t+1] = 0.5*v + 0.1*(flux - flux[x-1]) + 0.1*u[y-2];
  u[t+1] = u + 0.2*(v[x+2, t+1] - v[y-1, t+1] * v[y+1, t+1]) + flux[y+1];
}
)";

// Every strategy of the covering design, in pieces where that can be: in a short run with one of
// its rows, else with all, which compute boxes of the whole grid, too.
class Rows {
 public:
  explicit Rows(plan::Target target) : target_(target) {}

  void expect_agreement() {
    constexpr size_t kMost = 1u << 20;
    const std::vector<Row> rows =
        read_covering(
            driver::read_text(std::string(STENCILC_SOURCE_DIR) + "/tests/run/covering.txt", kMost)
                .text)
            .rows;
    for (size_t r = 0; r < rows.size(); ++r) {
      const Row& row = rows[r];
      if (strategy_of(row).target != target_) continue;
      if (!known_.insert(row.strategy).second && !kAllTests) continue;
      const bool pieces = strategy_of(row).rank > 1;
      const auto way = [&](bool cut) {
        add(program_of(row), schedule_of(row), {r, row.wide, cut});
      };
      if (pieces) way(true);
      if (!pieces || kAllTests) way(false);
    }
    const bool gpu = target_ == plan::Target::cuda;
    for (const std::string schedule :
         {"naive", "coarsened,threads=8x3,vector=2,rows=2,coarsen=z5,shared=none"})
      if (gpu || schedule == "naive")
        add({"parts", "", kParts}, gpu ? schedule : "loops", {rows.size(), false, true});
    for (const bool pieces : {false, true})
      if (gpu)
        add({"tiles", "", kTiles}, "coarsened,threads=8x2,vector=1,coarsen=y2,stages=tile,tile=all",
            {rows.size(), false, pieces});
    if (!members_.empty()) run(members_, target_);
  }

 private:
  struct Way {
    size_t seed = 0;
    bool wide = false, pieces = false;
  };
  void add(Program program, const std::string& schedule, const Way& way) {
    constexpr size_t kLibrary = 12;
    program.boxes = true;
    program.pieces = way.pieces;
    std::string problem;
    auto compiled = compile(program, target_, schedule, fmt::format("_{}", ++count_), problem);
    ASSERT_TRUE(compiled) << problem;
    fix_index(compiled->source, way.wide);
    // Vectors along the only axis are not cut.
    if (!cut(*compiled, way.seed)) {
      EXPECT_EQ(compiled->stencil.rank(), 1) << program.text << "\n" << schedule;
      return;
    }
    std::vector<driver::Case> cases = cases_of(*compiled, way.seed);
    constexpr size_t kSome = 4;
    if (!kAllTests) {  // of the two large grids one
      cases.erase(cases.begin() + static_cast<std::ptrdiff_t>(way.seed % 2));
      cases.resize(std::min(cases.size(), kSome));
    }
    members_.push_back({program.text + "\n" + schedule + (way.pieces ? ", in pieces" : ""),
                        std::move(*compiled), std::move(cases)});
    if (members_.size() == kLibrary) run(members_, target_);
  }

  const plan::Target target_;
  std::set<std::string> known_;
  std::vector<Member> members_;
  int count_ = 0;
};

TEST(Boxes, OfAnyCutAgreeOnTheExecutor) { Rows(plan::Target::cuda).expect_agreement(); }
TEST(Boxes, OfAnyCutAgreeOnTheCpu) { Rows(plan::Target::cpu).expect_agreement(); }

}  // namespace
}  // namespace stencilc::run_test
