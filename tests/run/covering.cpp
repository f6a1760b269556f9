#include "run/covering.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>

#include "driver/verify/cases.h"

namespace stencilc::run_test {
namespace {

using Names = std::vector<std::string>;

const Names& kinds() {
  static const Names names = {"clamp", "reflect", "mirror", "periodic",    "zero",    "constant",
                              "fixed", "none",    "expr",   "antireflect", "neumann", "ghost"};
  return names;
}

const Names& types() {
  static const Names names = {"f32", "f64", "f16", "bf16", "i64", "i32",
                              "i16", "u16", "i8",  "u8",   "bool"};
  return names;
}

// What a step is made of: one update; one that reads t-1, too; an update that reads the new values
// of another beside the cell, in a launch of its own or computed again; an update beside an input;
// a reduction; cells in colours, in place; sources and receivers.
const Names& stages() {
  static const Names names = {"one",   "levels", "split",   "recompute",
                              "input", "reduce", "colours", "points"};
  return names;
}

const Names& widths() {
  static const Names names = {"32-bit", "64-bit"};
  return names;
}

const Names& reaches() {
  static const Names names = {"1 cell", "2 cells"};
  return names;
}

bool has_second_field(const std::string& stages) {
  return stages == "split" || stages == "recompute" || stages == "input";
}

const std::string& width_of(const Row& row) { return widths()[row.wide ? 1 : 0]; }
const std::string& reach_of(const Row& row) { return reaches()[row.far ? 1 : 0]; }

bool is_integer(const std::string& type) {
  return type != "bool" && type.find('f') == std::string::npos;
}

std::string boundary_text(const std::string& kind, const std::string& axis,
                          const std::string& type) {
  if (kind == "constant") return type == "bool" ? "constant true" : "constant 2";
  if (kind == "neumann") return "neumann 1";
  if (kind != "expr") return kind;
  return type == "bool"     ? "expr " + axis + " > 3"
         : is_integer(type) ? fmt::format("expr {}({} + 1)", type, axis)
                            : "expr 0.5*" + axis + " + 1";
}

constexpr const char* kAxes[] = {"x", "y", "z"};

// The first kind below and the second above along x, the other way round along y, and so on, so
// that each stands on both sides. periodic holds on both sides of an axis.
std::string boundaries(const Row& row, const std::string& type, int rank) {
  std::string text;
  for (int a = 0; a < rank; ++a) {
    const std::string axis = kAxes[a];
    const std::string& low = row.boundary[a % 2];
    const std::string& high = row.boundary[1 - a % 2];
    if (low == "periodic" || high == "periodic")
      text += fmt::format("{}: {}; ", axis, boundary_text(low, axis, type));
    else
      text += fmt::format("{0}.lo: {1}; {0}.hi: {2}; ", axis, boundary_text(low, axis, type),
                          boundary_text(high, axis, type));
  }
  return text;
}

// Neighbours of `name`, no two with one weight, so that axes and sides cannot be exchanged.
// Integers wrap, bools are combined by logic.
std::string value(const std::string& shape, const std::string& type, const std::string& name,
                  const std::string& more, int rank, bool far) {
  std::vector<std::pair<std::string, std::string>> taps;  // an index and a weight
  const auto add = [&](const std::string& at) {
    taps.emplace_back(fmt::format("{}[{}]", name, at),
                      is_integer(type) ? std::to_string(taps.size() % 5 + 1)
                                       : fmt::format("{:.3f}", 0.031 * (taps.size() % 7 + 1)));
  };
  if (shape == "life")
    return fmt::format("{0}[x-1, y-1] + {0}[x+1] + {0}[y+1] == 1 || {0}[y-1] + {0} == 2 ? 1 : 0",
                       name);
  if (shape == "box") {
    for (int j = rank > 1 ? -2 : 0; j <= (rank > 1 ? 2 : 0); ++j)
      for (int i = -2; i <= 2; ++i)
        add(rank > 1 ? fmt::format("x{:+}, y{:+}", i, j) : fmt::format("x{:+}", i));
  } else {
    add("x-1");
    add("x+1");
    if (rank > 1) add("y-1");
    if (rank > 1) add("y+1");
    if (rank > 2) add("z-1");
    if (rank > 2) add("z+1");
    if (far) add("x-2");
    // The corner reads a plane that is three away, so that of the one between some rows only pass.
    const bool passes = shape == "corner" && rank == 3;
    if (far) add(rank == 1 ? "x+2" : rank == 2 ? "y+2" : passes ? "y+2, z-3" : "z-2");
    if (far && rank == 3 && !passes) add("y+2");
    if (shape == "corner") add(rank == 1 ? "x+2" : rank == 2 ? "x+1, y-1" : "x+1, y-1, z+1");
  }
  std::string text = name;
  if (type == "bool") {
    constexpr const char* kOperators[] = {" != ", " || ", " && "};
    for (size_t i = 0; i < taps.size(); ++i)
      text = "(" + text + kOperators[i % 3] + taps[i].first + ")";
    return text + more;
  }
  text = is_integer(type) ? name : "0.3*" + name;
  for (const auto& [at, weight] : taps) text += " + " + weight + "*" + at;
  text += more;
  return is_integer(type) ? type + "(" + text + ")" : text;
}

// A term that reads another field of another type.
std::string term(const std::string& type, const std::string& of, const std::string& read) {
  if (type == "bool")
    return of == "bool" ? " != " + read : fmt::format(" != ({} > {}(1))", read, of);
  if (is_integer(type)) return fmt::format(" + i32({})", read);
  if (of == "bool" || is_integer(of)) return fmt::format(" + 0.01*f32({})", read);
  if (type != "f64" && of == "f64") return fmt::format(" + 0.2*f32({})", read);
  return " + 0.2*" + read;
}

std::string reduced(const std::string& type) {
  if (type == "bool") return "sum(i32(u[t+1]))";
  if (is_integer(type)) return "sum(i64(u[t+1]))";
  return "max(abs(u[t+1] - 0.5*u))";
}

}  // namespace

const std::vector<Strategy>& strategies() {
  using plan::Target;
  const auto cuda = [](const char* name, int rank, const char* shape, const std::string& schedule) {
    return Strategy{fmt::format("{} {}-D", name, rank), Target::cuda, rank, shape, schedule};
  };
  static const std::vector<Strategy> list = {
      cuda("naive", 1, "star", "naive"),
      cuda("cells", 1, "corner", "coarsened,threads=48,coarsen=x3"),
      cuda("vectors", 1, "star", "coarsened,threads=32,vector=4,coarsen=x2"),
      cuda("tile by loads", 1, "star", "coarsened,threads=32,vector=1,coarsen=x1,shared=loads"),
      cuda("tile by async", 1, "star",
           "coarsened,threads=64,vector=2,coarsen=x1,shared=async,fill=split"),
      cuda("tile by boxes", 1, "star", "coarsened,threads=8,vector=4,coarsen=x2,shared=boxes"),
      cuda("taps in loops", 1, "box", "coarsened,threads=32,vector=8,taps=unrolled,shared=async"),
      cuda("textures", 1, "star", "coarsened,threads=32,vector=2,coarsen=x2,loads=texture"),
      cuda("resident tile", 1, "star", "coarsened,threads=32,vector=8,steps=3"),
      cuda("naive", 2, "star", "naive,threads=33x3,launches=early"),
      cuda("edge cells", 2, "corner", "naive,threads=16x4,edges=cells"),
      cuda("edge cells of vectors", 2, "corner",
           "coarsened,threads=8x4,vector=4,rows=2,coarsen=y1,edges=cells"),
      cuda("cells", 2, "corner", "coarsened,threads=64x4,coarsen=y3"),
      cuda("vectors", 2, "star", "coarsened,threads=8x4,vector=4,coarsen=y2"),
      cuda("one vector", 2, "corner", "coarsened,threads=8x4,vector=4,coarsen=y1"),
      cuda("peeled ends", 2, "star", "coarsened,threads=8x2,vector=2,coarsen=y7,ends=peeled"),
      cuda("scatter", 2, "star", "coarsened,threads=8x2,vector=2,coarsen=y5,sums=scatter"),
      cuda("lanes", 2, "star", "coarsened,threads=32x2,vector=2,coarsen=y3,sides=lanes"),
      cuda("tile by loads", 2, "corner",
           "coarsened,threads=16x6,vector=1,coarsen=y2,shared=loads,fill=split"),
      cuda("tile by async", 2, "star", "coarsened,threads=4x3,vector=4,coarsen=x2,shared=async"),
      cuda("tile by boxes", 2, "corner",
           "coarsened,threads=4x4,vector=4,coarsen=y2,sums=gather,shared=boxes"),
      cuda("tile, scattered", 2, "star",
           "coarsened,threads=8x2,vector=2,coarsen=y3,sums=scatter,shared=loads"),
      cuda("rolled taps", 2, "box",
           "coarsened,threads=16x2,vector=8,rows=2,taps=rolled,shared=boxes"),
      cuda("unrolled taps", 2, "box",
           "coarsened,threads=16x8,vector=8,rows=2,taps=unrolled,shared=loads,fill=split"),
      cuda("textures", 2, "star", "coarsened,threads=8x4,vector=2,coarsen=y2,loads=texture"),
      cuda("stream by gather, 3 steps", 2, "star",
           "coarsened,threads=32x2,vector=4,coarsen=y8,sums=gather,steps=3"),
      cuda("stream by scatter, 3 steps", 2, "corner",
           "coarsened,threads=32x2,vector=4,coarsen=y8,sums=scatter,steps=3"),
      cuda("words of bits, 4 steps", 2, "life",
           "coarsened,threads=32x1,vector=32,rows=1,coarsen=y16,sums=gather,steps=4"),
      cuda("resident tile", 2, "corner",
           "coarsened,threads=32x4,vector=4,rows=4,steps=3,launches=early"),
      cuda("naive", 3, "star", "naive"),
      cuda("edge cells", 3, "corner", "naive,threads=8x4,edges=cells,launches=early"),
      cuda("edge cells of vectors", 3, "star",
           "coarsened,threads=4x4x2,vector=2,rows=1,coarsen=z1,shared=none,edges=cells,swizzle=8"),
      cuda("cells", 3, "corner", "coarsened,threads=8x8x4,coarsen=x2,swizzle=16"),
      cuda("one vector", 3, "star", "coarsened,threads=4x4,vector=4,rows=1,coarsen=z1,shared=none"),
      cuda("peeled ends", 3, "star",
           "coarsened,threads=8x4,vector=1,coarsen=z7,shared=none,ends=peeled"),
      cuda("lanes", 3, "star",
           "coarsened,threads=32x2,vector=2,rows=2,coarsen=z5,shared=none,sides=lanes"),
      cuda("planes by loads", 3, "corner",
           "coarsened,threads=8x3,vector=1,coarsen=z5,shared=loads,ahead=1"),
      cuda("planes by async", 3, "star",
           "coarsened,threads=16x8,vector=2,rows=1,coarsen=z5,sums=gather,shared=async,ahead=1,"
           "fill=split"),
      cuda("planes by boxes", 3, "corner",
           "coarsened,threads=16x2,vector=1,coarsen=z6,shared=boxes,ahead=1"),
      cuda("producers", 3, "star",
           "coarsened,threads=32x4,vector=2,rows=1,coarsen=z6,sums=gather,shared=boxes,ahead=2,"
           "fill=producers"),
      cuda("gather", 3, "corner",
           "coarsened,threads=8x3,vector=2,rows=3,coarsen=z9,sums=gather,shared=none"),
      cuda("scatter", 3, "corner",
           "coarsened,threads=4x2,vector=4,rows=3,coarsen=z4,sums=scatter,shared=none"),
      cuda("scatter by boxes", 3, "star",
           "coarsened,threads=4x2,vector=4,rows=3,coarsen=z4,sums=scatter,shared=boxes,ahead=2"),
      cuda("stream, 2 steps", 3, "sum",
           "coarsened,threads=32x4,vector=2,rows=3,coarsen=z8,shared=none,sums=scatter,steps=2"),
      cuda("resident tile", 3, "star", "coarsened,threads=32x8,vector=2,rows=2,planes=10,steps=2"),
      {"loops 1-D", Target::cpu, 1, "corner", "loops"},
      {"loops 2-D", Target::cpu, 2, "corner", "loops"},
      {"loops 3-D", Target::cpu, 3, "corner", "loops"},
  };
  return list;
}

const Strategy& strategy_of(const Row& row) {
  for (const Strategy& strategy : strategies())
    if (strategy.name == row.strategy) return strategy;
  throw std::logic_error("no strategy is called " + row.strategy);
}

std::string schedule_of(const Row& row) {
  const std::string& schedule = strategy_of(row).schedule;
  return row.stages == "split" || row.stages == "recompute" ? schedule + ",stages=" + row.stages
                                                            : schedule;
}

Program program_of(const Row& row) {
  const Strategy& strategy = strategy_of(row);
  const int rank = strategy.rank;
  const auto field = [](const std::string& name, const std::string& type, const char* role) {
    const bool half = type == "f16" || type == "bf16";
    return fmt::format("  field {} {}{}{};\n", type, name, role, half ? " compute f32" : "");
  };
  const std::string &type = row.type[0], &second = row.type[1];
  std::string text = "stencil s {\n  axes x";
  for (int a = 1; a < rank; ++a) text += std::string(", ") + kAxes[a];
  text += ";\n" + field("u", type, "");
  std::string more, statements;
  text += fmt::format("  boundary u {{ {}}}\n", boundaries(row, type, rank));
  const auto beside = [&](const char* name) {
    return fmt::format("{}[{}]", name, rank == 1 ? "x+1" : rank == 2 ? "x-1, y+1" : "y+1");
  };
  if (has_second_field(row.stages)) {
    text += field("v", second, row.stages == "input" ? " in" : "");
    Row own = row;  // `fixed` is for fields that are updated
    if (row.stages == "input")
      std::replace(own.boundary.begin(), own.boundary.end(), std::string("fixed"),
                   std::string("none"));
    text += fmt::format("  boundary v {{ {}}}\n", boundaries(own, second, rank));
  }
  if (row.stages == "input") more = term(type, second, strategy.shape == "sum" ? "v" : beside("v"));
  if (row.stages == "levels")
    more = type == "bool" ? " != u[t-1]" : is_integer(type) ? " - u[t-1]" : " - 0.4*u[t-1]";
  if (row.stages == "reduce") text += "  reduce most = " + reduced(type) + ";\n";
  if (row.stages == "colours")
    text += fmt::format("  color red, black by ({}) % 2;\n", rank == 1   ? "x"
                                                             : rank == 2 ? "x + y"
                                                                         : "x + y + z");
  if (row.stages == "points") {
    const bool real = type != "bool" && !is_integer(type);
    const std::string of = type == "f16" || type == "bf16" ? "f32" : type;
    text += fmt::format("  points here{};\n  series {} pulse(here), trace(here);\n",
                        real ? " linear" : "", of);
    statements += type == "bool"
                      ? "  sample trace[t] = u at here;\n"
                      : "  inject u[t+1] += pulse[t] at here;\n  sample trace[t] = u at here;\n";
  }
  // A cell must not read another of its own colour.
  const bool colours = row.stages == "colours";
  text += (colours ? "  u = " : "  u[t+1] = ") +
          value(colours ? "star" : strategy.shape, type, "u", more, rank, row.far) + ";\n";
  if (row.stages == "split" || row.stages == "recompute") {
    const std::string read = rank == 1   ? "u[t+1, x-1]"
                             : rank == 2 ? "u[t+1, x+1, y-1]"
                                         : "u[t+1, z-1]";
    text += "  v[t+1] = " +
            value(strategy.shape == "box" ? "box" : "star", second, "v", term(second, type, read),
                  rank, row.far) +
            ";\n";
  }
  text += statements + "}\n";
  Program program;
  program.name =
      fmt::format("{}, {} and {}, {} and {}, {}, {}, {}", row.strategy, row.boundary[0],
                  row.boundary[1], type, second, row.stages, width_of(row), reach_of(row));
  program.text = std::move(text);
  return program;
}

std::optional<driver::Compiled> compile(const Row& row, const std::string& tag, std::string& why) {
  const Strategy& strategy = strategy_of(row);
  std::optional<driver::Compiled> compiled;
  try {
    compiled = compile(program_of(row), strategy.target, schedule_of(row), tag, why);
  } catch (const std::logic_error& bug) {
    why = std::string("a bug: ") + bug.what();
  }
  if (!compiled) return {};
  why = compiled->module.why_one;
  for (const kernel::Launch& launch : compiled->module.launches)
    for (const std::string& other :
         {launch.no_loops, launch.no_planes, launch.checked, launch.loaded})
      if (why.empty()) why = other;
  if (!why.empty()) return {};
  if (strategy.target == plan::Target::cuda || row.wide) fix_index(compiled->source, row.wide);
  return compiled;
}

std::vector<std::string> pairs_of(const Row& row) {
  const std::set<std::string> boundary(row.boundary.begin(), row.boundary.end());
  std::set<std::string> type = {row.type[0]};
  if (has_second_field(row.stages)) type.insert(row.type[1]);
  const std::vector<std::set<std::string>> factors = {
      {row.strategy}, boundary, type, {row.stages}, {width_of(row)}, {reach_of(row)}};
  std::vector<std::string> pairs;
  for (size_t f = 0; f < factors.size(); ++f)
    for (size_t g = f + 1; g < factors.size(); ++g)
      for (const std::string& a : factors[f])
        for (const std::string& b : factors[g]) pairs.push_back(a + ": " + b);
  return pairs;
}

std::vector<std::string> all_pairs() {
  Names names;
  for (const Strategy& strategy : strategies()) names.push_back(strategy.name);
  const std::vector<Names> factors = {names, kinds(), types(), stages(), widths(), reaches()};
  std::vector<std::string> pairs;
  for (size_t f = 0; f < factors.size(); ++f)
    for (size_t g = f + 1; g < factors.size(); ++g)
      for (const std::string& a : factors[f])
        for (const std::string& b : factors[g]) pairs.push_back(a + ": " + b);
  return pairs;
}

namespace {

std::string first_line(const std::string& text) {
  const size_t error = text.find("error: ");
  const size_t begin = error == std::string::npos ? 0 : error + 7;
  return text.substr(begin, text.find('\n', begin) - begin);
}

class Maker {
 public:
  Covering make() {
    for (const std::string& pair : all_pairs()) open_.insert(pair);
    for (const Strategy& strategy : strategies()) cover(strategy);
    for (const std::string& pair : open_)
      covering_.impossible[pair] = "no row of a strategy has both";
    // What a row alone was refused for another one has beside something else.
    for (const Row& row : covering_.rows)
      for (const std::string& pair : pairs_of(row)) covering_.impossible.erase(pair);
    return std::move(covering_);
  }

 private:
  size_t any(size_t count) { return static_cast<size_t>(random_() % count); }

  // Of the values whose pair with `with` is open the one that has most open pairs with `beside`,
  // else any.
  const std::string& pick(const Names& values, const std::string& with, const Names& beside) {
    std::vector<const std::string*> best;
    int most = -1;
    for (const std::string& value : values) {
      int count = open_.count(with + ": " + value) != 0 ? 1000 : 0;
      for (const std::string& other : beside)
        count +=
            static_cast<int>(open_.count(value + ": " + other) + open_.count(other + ": " + value));
      if (count > most) best.clear();
      most = std::max(most, count);
      if (count == most) best.push_back(&value);
    }
    return *best[any(best.size())];
  }

  bool take(const Row& row) {
    std::string why;
    if (!compile(row, "", why)) return false;
    for (const std::string& pair : pairs_of(row)) open_.erase(pair);
    covering_.rows.push_back(row);
    return true;
  }

  // Rows that have the value in its factor, and otherwise what most strategies take. A type may be
  // that of a second field alone.
  static std::vector<Row> rows_alone(const Strategy& strategy, const std::string& value) {
    const bool life = strategy.shape == "life";
    const std::string kind = life ? "periodic" : "clamp", type = life ? "u8" : "f32";
    Row row{strategy.name, {kind, kind}, {type, type}, "one", false, false};
    const auto is_one_of = [&](const Names& names) {
      return std::find(names.begin(), names.end(), value) != names.end();
    };
    if (is_one_of(kinds())) row.boundary = {value, value};
    if (is_one_of(stages())) row.stages = value;
    if (is_one_of(widths())) row.wide = value == widths()[1];
    if (is_one_of(reaches())) row.far = value == reaches()[1];
    std::vector<Row> rows = {row};
    if (!is_one_of(types())) return rows;
    rows[0].type = {value, value};
    for (const char* stage : {"input", "split"}) {
      row.type[1] = value;
      row.stages = stage;
      rows.push_back(row);
    }
    return rows;
  }

  // What no row of the strategy can have is not open, and has a reason.
  void find_impossible(const Strategy& strategy) {
    for (const Names* values : {&kinds(), &types(), &stages(), &widths(), &reaches()})
      for (const std::string& value : *values) {
        std::string reason;
        for (const Row& row : rows_alone(strategy, value)) {
          std::string why;
          if (compile(row, "", why)) {
            reason.clear();
            break;
          }
          if (reason.empty()) reason = first_line(why);
        }
        if (reason.empty()) continue;
        const std::string pair = strategy.name + ": " + value;
        covering_.impossible[pair] = reason;
        open_.erase(pair);
      }
  }

  Row pick_row(const Strategy& strategy) {
    const std::string& name = strategy.name;
    Row row;
    row.strategy = name;
    row.stages = pick(stages(), name, widths());
    row.type[0] = pick(types(), name, kinds());
    row.boundary[0] = pick(kinds(), name, {row.type[0], row.stages});
    row.boundary[1] = pick_other(kinds(), name, row.boundary[0], {row.type[0], row.stages});
    if (strategy.rank == 1 && (row.boundary[0] == "periodic" || row.boundary[1] == "periodic"))
      row.boundary = {"periodic", "periodic"};
    row.type[1] = has_second_field(row.stages) ? pick_other(types(), name, row.type[0], kinds())
                                               : row.type[0];
    row.wide = pick(widths(), name, kinds()) == widths()[1];
    row.far = pick(reaches(), name, kinds()) == reaches()[1];
    return row;
  }

  // Another value than the one that is there already.
  std::string pick_other(Names values, const std::string& with, const std::string& taken,
                         const Names& beside) {
    std::erase(values, taken);
    return pick(values, with, beside);
  }

  // The row itself, or one with what is taken more often in the place of one or two factors.
  bool take_like(const Row& row) {
    if (take(row)) return true;
    for (int change = 1; change < 16; ++change) {
      Row other = row;
      if ((change & 1) != 0) other.boundary[1] = other.boundary[0];
      if ((change & 2) != 0) other.stages = "one";
      if ((change & 4) != 0) other.type = {"f32", "f32"};
      if ((change & 8) != 0) other.far = false;
      if (take(other)) return true;
    }
    return false;
  }

  void cover(const Strategy& strategy) {
    find_impossible(strategy);
    for (int misses = 0; misses < 8 && is_open(strategy.name);) {
      const size_t before = open_.size();
      if (!take_like(pick_row(strategy)) || open_.size() == before) ++misses;
    }
    for (const Names* values : {&kinds(), &types(), &stages(), &widths(), &reaches()})
      for (const std::string& value : *values)
        if (open_.count(strategy.name + ": " + value) != 0)
          for (const Row& row : rows_alone(strategy, value))
            if (take(row)) break;
  }

  bool is_open(const std::string& strategy) const {
    const auto first = open_.lower_bound(strategy + ": ");
    return first != open_.end() && first->starts_with(strategy + ": ");
  }

  std::set<std::string> open_;
  std::mt19937_64 random_{28};
  Covering covering_;
};

}  // namespace

Covering make_covering() { return Maker().make(); }

std::string print(const Covering& covering) {
  std::string text;
  for (const Row& row : covering.rows)
    text += fmt::format("{} | {} {} | {} {} | {} | {} | {}\n", row.strategy, row.boundary[0],
                        row.boundary[1], row.type[0], row.type[1], row.stages, width_of(row),
                        reach_of(row));
  text += "\n";
  for (const auto& [pair, why] : covering.impossible) text += fmt::format("{} | {}\n", pair, why);
  return text;
}

Covering read_covering(const std::string& text) {
  Covering covering;
  std::istringstream lines(text);
  bool rows = true;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      rows = false;
      continue;
    }
    Names parts;
    for (size_t begin = 0; begin <= line.size();) {
      const size_t end = std::min(line.find(" | ", begin), line.size());
      parts.push_back(line.substr(begin, end - begin));
      begin = end + 3;
    }
    const auto two = [](const std::string& words) {
      const size_t space = words.find(' ');
      return std::array{words.substr(0, space), words.substr(space + 1)};
    };
    if (rows)
      covering.rows.push_back({parts.at(0), two(parts.at(1)), two(parts.at(2)), parts.at(3),
                               parts.at(4) == widths()[1], parts.at(5) == reaches()[1]});
    else
      covering.impossible[parts.at(0)] = line.substr(parts.at(0).size() + 3);
  }
  return covering;
}

// ---- the runs ----

const kernel::Launch& sweep_of(const driver::Compiled& compiled) {
  const auto& launches = compiled.module.launches;
  return *std::find_if(launches.begin(), launches.end(),
                       [](const kernel::Launch& launch) { return launch.places < 0; });
}

namespace {

int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// The smallest grid in which a block reads nothing outside the grid, at every step of the launch,
// and others do. `multiple`: of the cells of a row.
data::Extents with_interior(const driver::Compiled& compiled, int64_t multiple) {
  const kernel::Launch& launch = sweep_of(compiled);
  const kernel::Kernel& kernel = launch.kernel;
  const ir::Reach reach = ir::reach(compiled.stencil);
  const int64_t steps = std::max(1, kernel.most_steps);
  const int rank = compiled.stencil.rank();
  data::Extents extents;
  for (int a = 0; a < rank; ++a) {
    const int64_t low = reach.low[a] * steps, high = reach.high[a] * steps;
    // A stream takes an axis from end to end, or in chunks that begin anywhere.
    const bool streamed = !kernel.partition.name.empty() && a == rank - 1;
    const int64_t tile = streamed ? 1 : kernel.tile[a];
    int64_t extent = std::max<int64_t>(round_up(low, tile) + tile + high + 1, launch.least[a]);
    if (a == 0) extent = multiple > 1 ? round_up(extent, multiple) : extent | 1;
    const int64_t of_colours = compiled.module.multiples.empty() ? 1 : compiled.module.multiples[a];
    extents.push_back(round_up(extent, of_colours));
  }
  return extents;
}

}  // namespace

std::vector<driver::Case> cases_of(const driver::Compiled& compiled, size_t row) {
  const int64_t steps =
      compiled.module.steps ? std::max(1, sweep_of(compiled).kernel.most_steps) : 1;
  std::vector<driver::Case> cases;
  constexpr int64_t kOfVectors = 32;
  cases.push_back({with_interior(compiled, kOfVectors), steps, "random", row + 1});
  cases.push_back(
      {with_interior(compiled, 1), compiled.module.steps ? steps + 1 : 1, "random", row + 2});
  const std::vector<driver::Case> others = driver::awkward_cases(compiled, row + 1);
  constexpr size_t kOf = 4;
  for (size_t i = row % kOf; i < others.size(); i += kOf) cases.push_back(others[i]);
  return cases;
}

}  // namespace stencilc::run_test
