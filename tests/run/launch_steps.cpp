#include "run/launch_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <tuple>

#include "diag/fnv.h"
#include "driver/pipeline/imports.h"
#include "driver/system/files.h"
#include "plan/temporal/temporal_blocking.h"
#include "plan/words/decision_words.h"

namespace stencilc::run_test {
namespace {

// With the names of the axes for X, Y and Z. Of sums that have two axes, one of them alone is left
// where there is no other.
struct Boundary {
  const char* name;
  std::array<const char*, 3> text;  // for each rank
};
constexpr Boundary kBoundaries[] = {
    {"clamp", {"clamp", "clamp", "clamp"}},
    {"reflect", {"reflect", "reflect", "reflect"}},
    {"mirror", {"mirror", "mirror", "mirror"}},
    {"periodic", {"periodic", "periodic", "periodic"}},
    {"zero", {"zero", "zero", "zero"}},
    {"constant", {"constant 2", "constant 2", "constant 2"}},
    {"fixed", {"fixed", "fixed", "fixed"}},
    {"none", {"none", "none", "none"}},
    {"expr", {"expr 0.5*X", "expr 0.5*X + Y", "expr 0.5*X + Y - Z"}},
    {"antireflect", {"antireflect", "antireflect", "antireflect"}},
    {"neumann", {"neumann 1", "neumann 1", "neumann 1"}},
    {"ghost", {"ghost", "ghost", "ghost"}},
    {"sides",
     {"{ X.lo: zero; X.hi: mirror; }", "{ X.lo: zero; X.hi: mirror; Y.lo: reflect; Y.hi: fixed; }",
      "{ X.lo: zero; X.hi: clamp; Y.lo: reflect; Y.hi: fixed; Z.lo: antireflect; Z.hi: mirror; }"}},
    {"others",
     {"{ X.lo: fixed; X.hi: antireflect; }", "{ X: periodic; Y.lo: clamp; Y.hi: neumann 0.5; }",
      "{ X: periodic; Y.lo: clamp; Y.hi: zero; Z: neumann 0.5; }"}},
};

struct Form {
  const char* name;
  std::vector<std::string> shapes;  // those that hold more last
};

std::vector<Form> forms(int rank) {
  if (rank == 1)
    return {{"warp_tile", {"threads=32,vector=4", "threads=32,vector=8", "threads=32,vector=16"}}};
  const std::vector<std::string> streams = {"threads=32x2,vector=2,rows=1,coarsen=y9,sums=",
                                            "threads=32x2,vector=4,rows=1,coarsen=y16,sums=",
                                            "threads=32x1,vector=4,rows=1,chunks=full,sums=",
                                            "threads=32x1,vector=8,rows=1,chunks=full,sums="};
  const auto with = [&](const std::string& sums) {
    std::vector<std::string> list;
    for (const std::string& shape : streams) list.push_back(shape + sums);
    return list;
  };
  if (rank == 2)
    return {{"gather", with("gather")},
            {"scatter", with("scatter")},
            {"bits",
             {"threads=32x1,vector=32,rows=1,coarsen=y16,sums=gather",
              "threads=32x2,vector=32,rows=1,chunks=full,sums=gather"}},
            {"resident",
             {"threads=32x4,vector=4,rows=4,launches=early", "threads=32x4,vector=2,rows=8",
              "threads=32x8,vector=4,rows=4", "threads=32x8,vector=4,rows=8",
              "threads=32x8,vector=8,rows=4", "threads=32x16,vector=4,rows=8"}}};
  return {{"stream",
           {"threads=32x4,vector=2,rows=2,coarsen=z9,ahead=1,shared=none,sums=scatter",
            "threads=32x4,vector=4,rows=3,coarsen=z8,shared=none,sums=scatter",
            "threads=32x8,vector=4,rows=4,coarsen=z20,ahead=1,shared=none,sums=scatter",
            "threads=32x12,vector=2,rows=4,coarsen=z20,ahead=1,shared=none,sums=scatter"}},
          {"resident",
           {"threads=32x4,vector=2,rows=2,planes=7", "threads=32x8,vector=2,rows=2,planes=10",
            "threads=32x8,vector=4,rows=4,planes=10", "threads=32x12,vector=2,rows=2,planes=14",
            "threads=32x16,vector=2,rows=2,planes=9", "threads=32x20,vector=2,rows=1,planes=18",
            "threads=32x16,vector=2,rows=2,planes=18"}}};
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

// The text with this boundary for every field of the stencil that has one.
std::string with_boundary(const std::string& text, const ast::Stencil& stencil,
                          const Boundary& boundary) {
  std::vector<std::string> axes;
  for (const ast::Item& item : stencil.items)
    if (const auto* found = std::get_if<ast::Axes>(&item.node))
      for (const ast::Ident& axis : found->names) axes.push_back(axis.name);
  std::string kind = boundary.text[axes.size() - 1];
  for (size_t a = 0; a < axes.size(); ++a) kind = replaced(kind, std::string(1, "XYZ"[a]), axes[a]);
  std::string result = text;
  for (auto item = stencil.items.rbegin(); item != stencil.items.rend(); ++item) {
    const auto* fields = std::get_if<ast::Fields>(&item->node);
    if (!fields || !fields->has_boundary) continue;
    const size_t begin = text.find("boundary", item->at.begin);
    result.replace(begin, item->at.end - begin, "boundary " + kind + (kind[0] == '{' ? "" : ";"));
  }
  return result;
}

// Its meaning; nothing: it is no program.
std::optional<ir::Stencil> meaning(const Program& program) {
  diag::Sources sources = {{program.file, program.text}};
  diag::Engine engine;
  driver::CompileOptions options;
  options.stencil = program.stencil;
  std::vector<ir::Stencil> stencils =
      driver::front_end(sources, driver::load(sources, {}, engine), options, engine);
  if (stencils.size() != 1) return {};
  return std::move(stencils[0]);
}

// As plan::parse does, but what the shape does not say is not chosen, which takes long. Why there
// is no such schedule, or "".
std::string read_shape(const std::string& text, const ir::Stencil& stencil,
                       plan::Schedule& schedule) {
  schedule.preset = "coarsened";
  for (const std::string& part : plan::split(text, ',')) {
    const size_t equals = part.find('=');
    const plan::Decision* decision = plan::decision(part.substr(0, equals));
    if (std::string why = decision->read(part.substr(equals + 1), stencil, schedule); !why.empty())
      return why;
  }
  return plan::conflict(schedule, stencil.rank());
}

int64_t work_of(const ir::Stencil& stencil, const plan::Schedule& schedule) {
  int64_t reads = 0;
  for (const ir::ExprPtr& node : ir::nodes_of(stencil)) reads += ir::as<ir::Read>(node) ? 1 : 0;
  const bool bits = schedule.vector == plan::kCellsOfBits;
  return reads * (bits ? 1 : schedule.vector) * schedule.rows * schedule.planes *
         (plan::is_resident_tile(schedule) ? 1 : schedule.steps);
}

// Reasons are the same whatever the numbers in them.
std::string without_numbers(const std::string& text) {
  std::string result;
  for (const char c : text) {
    const bool digit = std::isdigit(static_cast<unsigned char>(c)) != 0;
    if (!digit)
      result += c;
    else if (result.empty() || result.back() != '#')
      result += '#';
  }
  return result;
}

std::string ranges(const std::vector<int>& steps) {
  std::string text;
  for (size_t i = 0; i < steps.size();) {
    size_t end = i + 1;
    while (end < steps.size() && steps[end] == steps[end - 1] + 1) ++end;
    if (!text.empty()) text += ", ";
    text += std::to_string(steps[i]);
    if (end > i + 1) text += (end == i + 2 ? ", " : "..") + std::to_string(steps[end - 1]);
    i = end;
  }
  return text;
}

// The boundaries of each outcome.
using Outcomes = std::map<std::string, std::vector<std::string>>;

bool takes_any(const Outcomes& outcomes) {
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [](const auto& outcome) { return !outcome.first.starts_with("not "); });
}

}  // namespace

bool is_in_part(const std::string& name, int part, int parts) {
  return diag::fnv1a(name) / 7 % static_cast<uint64_t>(parts) == static_cast<uint64_t>(part);
}

std::vector<FormOfSteps> steps_of_forms(const ir::Stencil& stencil, StepRange step_range,
                                        const std::string& name, const Wanted& wanted,
                                        int64_t most_work) {
  // What is said of these is not chosen otherwise.
  const std::string taps = stencil.rank() < 3 ? ",taps=terms" : "";
  std::vector<FormOfSteps> list;
  if (step_range.first == 1 && wanted("one", 1)) list.push_back({1, "one", "coarsened", ""});
  for (const Form& form : forms(stencil.rank()))
    for (int steps = std::max(step_range.first, 2); steps <= step_range.last; ++steps) {
      if (!wanted(form.name, steps)) continue;
      FormOfSteps one{steps, form.name, "", ""};
      std::vector<std::pair<std::string, int64_t>> allowed;  // with its work
      std::map<std::string, int> reasons;
      for (const std::string& shape : form.shapes) {
        const std::string text =
            with_axes_of(stencil, fmt::format("{}{},steps={}", shape, taps, steps));
        plan::Schedule schedule;
        std::string why = read_shape(text, stencil, schedule);
        if (why.empty()) {
          const plan::Temporal several = plan::temporal(stencil, schedule);
          why = several.why_one;
          if (several.steps == steps)
            allowed.emplace_back("coarsened," + text, work_of(stencil, schedule));
        }
        // That of most shapes; of as many, that of those that hold more.
        why = without_numbers(why);
        if (++reasons[why] >= reasons[one.why]) one.why = why;
      }
      if (!allowed.empty()) {
        const auto little =
            std::stable_partition(allowed.begin(), allowed.end(),
                                  [&](const auto& shape) { return shape.second <= most_work; });
        if (little != allowed.begin()) allowed.erase(little, allowed.end());
        const uint64_t any = diag::fnv1a(fmt::format("{} {} {}", name, form.name, steps)) / 7;
        std::tie(one.schedule, one.work) = allowed[any % allowed.size()];
        one.why.clear();
      }
      list.push_back(one);
    }
  return list;
}

std::vector<Program> programs_of_launch_steps(const std::vector<std::filesystem::path>& folders) {
  std::vector<Program> programs;
  for (const auto& folder : folders)
    for (const Program& own : example_programs(folder)) {
      if (own.numerics.order != ir::Numerics::canonical) continue;
      Program one = own;
      one.again = replaced(one.again, "--programs examples", "--programs launch-steps");
      one.boundary = "own";
      programs.push_back(one);
      diag::Engine engine;
      diag::Sources sources = {{own.file, own.text}};
      const ast::Program tree = driver::load(sources, {}, engine);
      const auto stencil =
          std::find_if(tree.stencils.begin(), tree.stencils.end(),
                       [&](const ast::Stencil& each) { return each.name.name == own.stencil; });
      for (const Boundary& boundary : kBoundaries) {
        Program other = one;
        other.text = with_boundary(own.text, *stencil, boundary);
        other.boundary = boundary.name;
        other.name += std::string(", ") + boundary.name;
        other.again += std::string(" --boundary ") + boundary.name;
        if (other.text != own.text && meaning(other)) programs.push_back(std::move(other));
      }
    }
  return programs;
}

std::string list_of_launch_steps(const std::vector<Program>& programs, StepRange step_range) {
  std::string text;
  for (size_t begin = 0; begin < programs.size();) {
    size_t end = begin;
    std::map<std::string, Outcomes> found;  // of each form
    std::string all;
    for (; end < programs.size() && programs[end].file == programs[begin].file &&
           programs[end].stencil == programs[begin].stencil;
         ++end) {
      all += " " + programs[end].boundary;
      std::map<std::string, std::pair<std::vector<int>, std::map<std::string, std::vector<int>>>>
          by;
      for (const FormOfSteps& one : steps_of_forms(
               *meaning(programs[end]), step_range, programs[end].name,
               [](const std::string&, int steps) { return steps > 1; }, 0)) {
        auto& [taken, refused] = by[one.form];
        if (!one.schedule.empty())
          taken.push_back(one.steps);
        else
          refused[one.why].push_back(one.steps);
      }
      for (const auto& [form, each] : by) {
        std::string outcome = ranges(each.first);
        for (const auto& [why, steps] : each.second)
          outcome += (outcome.empty() ? "" : "; ") + ("not " + ranges(steps)) + ": " + why;
        found[form][outcome].push_back(programs[end].boundary);
      }
    }
    text += programs[begin].stencil + ":" + all + "\n";
    // Bits are few programs' matter.
    const auto bits = found.find("bits");
    if (bits != found.end() && !takes_any(bits->second)) found.erase(bits);
    if (std::all_of(found.begin(), found.end(),
                    [&](const auto& form) { return form.second == found.begin()->second; }))
      found = {{"every form", found.begin()->second}};
    for (const auto& [form, outcomes] : found)
      for (const auto& [outcome, boundaries] : outcomes) {
        const std::string with =
            outcomes.size() == 1 ? "" : fmt::format(" [{}]", fmt::join(boundaries, " "));
        text += fmt::format("  {}{}: {}\n", form, with, outcome);
      }
    begin = end;
  }
  return text;
}

}  // namespace stencilc::run_test
