#include "plan/syntax/parse_schedule.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "plan/schedule/fission.h"
#include "plan/schedule/marched_values.h"
#include "plan/schedule/setup_values.h"
#include "plan/schedule/staged_values.h"
#include "plan/schedule/streamed_values.h"
#include "plan/schedule/value_placement.h"
#include "plan/search/choose.h"
#include "plan/words/decision_words.h"

namespace stencilc::plan {
namespace {

// Whether the tile that was chosen for loops over taps fits the requested schedule.
bool keeps_tile(const Schedule& schedule) {
  return schedule.taps != Taps::terms && schedule.steps == 1 && !schedule.lanes &&
         schedule.loads != Loads::texture;
}

constexpr const char *kGlobal = "global", *kSetup = "setup", *kFission = "fission";
constexpr std::string_view kLaunch = "launch";
// Cells of a thread that streams values, if the schedule does not say how many.
constexpr int kStreamed = 32;

// Reads a part of the schedule before all others, where it has that part.
void read_first(const std::string& word, const std::vector<std::string>& parts,
                const ir::Stencil& stencil, Schedule& schedule, std::string& problem) {
  const std::string key = word + "=";
  for (const std::string& part : parts)
    if (part.starts_with(key) && problem.empty())
      problem = decision(word)->read(part.substr(key.size()), stencil, schedule);
}

// Which value the parts place twice, in steps and before them, as a sentence; or empty.
std::string placed_twice(const std::vector<std::string>& parts,
                         const std::vector<std::string>& setup) {
  for (const std::string word : {"global", "tile", "stream"})
    for (const std::string& part : parts) {
      if (!part.starts_with(word + "=")) continue;
      for (const std::string& name : split(part.substr(word.size() + 1), '+'))
        if (std::ranges::find(setup, name) != setup.end())
          return "`" + name + "` cannot be both `setup` and " +
                 (word == "global" ? "`global`" : "in a `" + word + "`") +
                 "; leave it out of one of them";
    }
  return "";
}

// Drops decisions of the compiler that conflict with the requested ones.
void make_room(const std::set<std::string>& told, int rank, bool loops, Schedule& schedule) {
  if (loops && !told.contains("shared") && !keeps_tile(schedule)) schedule.shared = Shared::none;
  const bool tells_streaming = told.contains("coarsen") || told.contains("chunks");
  if (rank == 2 && tells_streaming && !told.contains("sides")) schedule.lanes = false;
  const bool streams = schedule.full || (schedule.coarsen > 1 && schedule.coarsen_axis == 1);
  if (rank == 2 && streams && !told.contains("rows")) schedule.rows = 1;
  // The chosen number of resident blocks was meant for the chosen shape only.
  if (!told.empty() && !told.contains("resident")) schedule.resident = 0;
  if (!told.empty() && !told.contains("registers")) schedule.registers = 0;
  const bool streams_values = !schedule.stream_values.empty();
  if (streams_values && !told.contains("threads")) schedule.threads = {128, 1, 1};
  if (streams_values && !told.contains("coarsen")) {
    schedule.coarsen = rank > 1 ? kStreamed : 1;
    schedule.coarsen_axis = rank - 1;
  }
  if (!schedule.has_tiles() && !streams_values) return;
  if (!told.contains("vector")) schedule.vector = 1;
  if (!told.contains("rows")) schedule.rows = 1;
  if (!told.contains("vector") || (streams_values && !told.contains("sums")))
    schedule.scatter = false;
  if (!told.contains("vector") || (streams_values && !told.contains("taps")))
    schedule.taps = Taps::terms;
  if (!told.contains("shared")) schedule.shared = Shared::none;
  if (!told.contains("sides")) schedule.lanes = false;
  if (!told.contains("ends")) schedule.peeled = false;
  if (!told.contains("edges")) schedule.edge_cells = false;
}

// Why the values of a block do not fit into its shared memory; or empty.
std::string too_much_shared(Survey& survey, const Schedule& schedule, const Device& device) {
  if (!schedule.has_tiles()) return "";
  const auto bytes_of = [&](const Schedule& one) {
    return staged_bytes(survey.stencil, survey.stages(one).launches, one);
  };
  const auto cells = [&](const Schedule& one) {
    std::string text = std::to_string(one.tile()[0]);
    for (int a = 1; a < survey.stencil.rank(); ++a) text += "x" + std::to_string(one.tile()[a]);
    return text;
  };
  const int bytes = bytes_of(schedule);
  if (bytes <= device.block_shared) return "";
  std::string text = (schedule.tile_values.empty() ? "`stages=tile` takes " : "`tile` takes ") +
                     std::to_string(bytes) + " bytes of shared memory in a block of " +
                     cells(schedule) + " cells, and a block of " + plan::name(device) + " has " +
                     std::to_string(device.block_shared);
  Schedule less = schedule;
  while (bytes_of(less) > device.block_shared) {
    const bool shorter = less.coarsen > 1 && !marches(survey.stencil, less);
    int& most = shorter ? less.coarsen : *std::ranges::max_element(less.threads);
    if (most == 1) return text + "; keep fewer values in the tile";
    most = (most + 1) / 2;
  }
  return text + "; one of " + cells(less) + " cells would take " + std::to_string(bytes_of(less));
}

// What the parts of a schedule are read for.
struct Reading {
  Survey& survey;        // of the step, or of the one launch whose shape it is
  const Schedule& kept;  // what is set up and global, and which launches are split
  Target target;
  const Device& device;
  const Schedule* step = nullptr;  // of a launch: the schedule of its step
};

std::string key_of(const std::string& part) { return part.substr(0, part.find('=')); }

// The schedule of a preset, without changes.
Choice read_preset(const std::string& preset, const Reading& reading) {
  const ir::Stencil& stencil = reading.survey.stencil;
  Choice choice;
  if (reading.target == Target::cpu) {
    choice.schedule = choose(stencil, reading.target, 2, reading.device);
    if (preset != "loops")
      choice.problem = "there is no schedule `" + preset + "` for the CPU; write `loops`";
  } else if (preset == "naive") {
    choice.schedule = naive(stencil.rank());
  } else if (preset == "coarsened") {
    choice.schedule = coarsened(reading.survey, reading.device);
  } else {
    const std::string close = diag::nearest(preset, {"naive", "coarsened"});
    choice.problem =
        "there is no schedule `" + preset + "`; " +
        (close.empty() ? "the schedules are naive and coarsened" : "did you mean `" + close + "`?");
  }
  return choice;
}

// Reads a change of the preset, unless it was read before or is read later; returns what is wrong,
// or an empty string.
std::string read_part(const std::string& part, const std::string& preset, const Reading& reading,
                      Schedule& schedule) {
  const std::string key = key_of(part),
                    value = key.size() == part.size() ? "" : part.substr(key.size() + 1);
  const Decision* found = decision(key);
  if (reading.target == Target::cpu && (!found || found->of != Decision::of_cpu_too))
    return "the schedule `loops` has no part `" + key +
           "`; its parts are `stages`, `setup`, `global` and `fission`";
  if (!found) return "a schedule has no part `" + key + "`; " + meant_decision(key);
  if (reading.step && is_of_whole_step(key))
    return "`" + key + "` is for all launches of a step; write it outside of the parentheses";
  if (found->of == Decision::of_coarsened && preset == "naive")
    return "`" + key +
           "` cannot be used with `naive`, where a thread computes one cell; write `coarsened`";
  if (key == kGlobal || key == kSetup || key == kFission || key == kLaunch) return "";
  if (key == "tile" || key == "stream")
    for (const std::string& name : split(value, '+'))
      if (std::ranges::find(reading.kept.global, name) != reading.kept.global.end())
        return "`" + name + "` cannot be both `global` and in a `" + key +
               "`; leave it out of one of them";
  return found->read(value, reading.survey.stencil, schedule);
}

// Reads a preset and changes to it.
Choice read_shape(const std::vector<std::string>& parts, const Reading& reading) {
  Choice choice = read_preset(parts[0], reading);
  if (!choice.problem.empty()) return choice;
  const int rank = reading.survey.stencil.rank();
  choice.schedule.reason = "set by --schedule";
  const bool loops = choice.schedule.taps != Taps::terms;
  std::set<std::string> told;
  // What a block shares depends on the shape of its threads' cells, wherever that stands.
  std::vector<std::string> ordered(parts.begin() + 1, parts.end());
  std::ranges::stable_partition(ordered, [&](const std::string& part) {
    const std::string key = key_of(part);
    return key != "shared" && key != "ahead" && key != "fill";
  });
  for (const std::string& part : ordered) {
    told.insert(key_of(part));
    choice.problem = read_part(part, parts[0], reading, choice.schedule);
    if (!choice.problem.empty()) break;
  }
  if (reading.step) {
    choice.schedule = reading.step->of_launch(choice.schedule);
    // Of `all` they are left out.
    const std::vector<std::string> fields = streamable_fields(reading.survey.stencil);
    const bool all = std::ranges::find(parts, "stream=all") != parts.end();
    std::erase_if(choice.schedule.stream_values, [&](const std::string& name) {
      const bool is_field = std::ranges::find(fields, name) != fields.end();
      if (is_field && !all && choice.problem.empty())
        choice.problem = "`stream` of one launch cannot keep `" + name +
                         "`, which another launch reads; write it in the `stream` of the step";
      return is_field;
    });
  }
  if (choice.problem.empty() && reading.target == Target::cpu && choice.schedule.has_tiles())
    choice.problem =
        "`stages=tile` is for the blocks of a GPU; write `best`, `recompute` or `split`";
  choice.schedule.setup = reading.kept.setup;
  choice.schedule.global = reading.kept.global;
  choice.schedule.fission = reading.kept.fission;
  make_room(told, rank, loops, choice.schedule);
  if (choice.problem.empty()) choice.problem = conflict(choice.schedule, rank);
  if (choice.problem.empty()) {
    choice.problem = lacking(choice.schedule, reading.device);
    choice.of_device = !choice.problem.empty();
  }
  if (choice.problem.empty()) choice.problem = reading.survey.stages(choice.schedule).problem;
  if (choice.problem.empty()) {
    choice.problem = too_much_shared(reading.survey, choice.schedule, reading.device);
    choice.of_device = !choice.problem.empty();
  }
  return choice;
}

// Why no launch of this name can have a shape of its own; or empty.
std::string no_launch(const std::string& name, Survey& survey, const Schedule& schedule) {
  std::string names;
  const Launch* found = nullptr;
  int number = 0;
  for (const Launch& launch : survey.stages(schedule).launches) {
    if (launch.stores.empty()) continue;
    ++number;
    if (launch.stores_field(survey.stencil, name)) found = &launch;
    for (const Stored& one : launch.stores)
      names += (names.empty() ? "`" : ", `") +
               survey.stencil.fields[survey.stencil.updates[one.update].field].name + "`";
  }
  if (!found) return "no launch stores `" + name + "`; launches store " + names;
  if (number == 1) return "a step has one launch; write its shape without `launch`";
  if (found->along_stream)
    return "this launch keeps fields along the stream of the step, so it has the shape of the step";
  for (const Schedule& other : schedule.others) {
    if (other.of == name) return "this launch has a shape already";
    if (found->stores_field(survey.stencil, other.of))
      return "this is the launch of `" + other.of + "`, too, which has a shape already";
  }
  return "";
}

// Reads gx(coarsened,threads=32x4,...), the shape of the launch that stores `gx`.
void read_launch(const std::string& text, const Reading& reading, Choice& choice) {
  const size_t open = text.find('(');
  const std::string name = text.substr(0, open);
  const auto refuse = [&](const std::string& problem, bool of_device = false) {
    choice.problem = "`launch=" + name + "`: " + problem;
    choice.of_device = of_device;
  };
  if (open == std::string::npos || text.back() != ')')
    return refuse(
        "write a field or a value and the shape of the launch that stores it, as in "
        "`launch=u(naive,threads=32x4)`");
  if (choice.schedule.steps > 1) {
    choice.schedule.others.emplace_back();
    choice.problem = conflict(choice.schedule, reading.survey.stencil.rank());
    return;
  }
  if (const std::string problem = no_launch(name, reading.survey, choice.schedule);
      !problem.empty())
    return refuse(problem);
  Survey of_launch(reading.survey, name);
  const Reading inner = {of_launch, reading.kept, reading.target, reading.device, &choice.schedule};
  Choice own = read_shape(parts_of(text.substr(open + 1, text.size() - open - 2)), inner);
  if (!own.problem.empty()) return refuse(own.problem, own.of_device);
  own.schedule.of = name;
  choice.schedule.others.push_back(std::move(own.schedule));
}

}  // namespace

Choice parse(const std::string& text, const ir::Stencil& whole, Target target, const Device& of) {
  const std::vector<std::string> parts = parts_of(text);
  Choice choice;
  // All other decisions are about launches without what is set up or global.
  Schedule kept;
  read_first(kSetup, parts, whole, kept, choice.problem);
  if (choice.problem.empty()) choice.problem = placed_twice(parts, kept.setup);
  const ir::Stencil after_setup = with_setup(whole, kept.setup);
  read_first(kGlobal, parts, after_setup, kept, choice.problem);
  if (!choice.problem.empty()) return choice;
  const ir::Stencil with_values = with_global(after_setup, kept.global);
  read_first(kFission, parts, with_values, kept, choice.problem);
  if (!choice.problem.empty()) return choice;
  const ir::Stencil stencil = with_fission(with_values, kept.fission);
  Survey survey(stencil);
  Device device = of;
  // Temporaries have no maps.
  if (!kept.global.empty() || !kept.setup.empty()) device.box_copies = false;
  const Reading reading = {survey, kept, target, device};
  choice = read_shape(parts, reading);
  for (const std::string& part : parts)
    if (choice.problem.empty() && key_of(part) == kLaunch)
      read_launch(part.substr(std::min(part.size(), kLaunch.size() + 1)), reading, choice);
  return choice;
}

}  // namespace stencilc::plan
