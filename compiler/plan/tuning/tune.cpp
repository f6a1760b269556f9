#include "plan/tuning/tune.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "plan/model/one_step.h"
#include "plan/search/spatial_shapes.h"
#include "plan/search/temporal_shapes.h"
#include "plan/syntax/parse_schedule.h"
#include "plan/syntax/print_schedule.h"
#include "plan/tuning/candidates.h"
#include "plan/tuning/neighbours.h"

namespace stencilc::plan {
namespace {

constexpr double kGain = 0.005;  // what counts as faster
constexpr size_t kSeeds = 26;    // candidates with which the search starts
constexpr double kSpilling = 3;  // how many times slower, about
constexpr size_t kFew = 3;       // the number of fastest schedules whose neighbours are tried

bool is_faster(const Trial& one, const Trial& other) {
  return one.outcome.seconds < other.outcome.seconds * (1 - kGain);
}

// What makes schedules so different that the model may be wrong about a whole kind.
using Kind = std::tuple<std::string, Shared, bool, bool, bool, size_t>;
Kind kind_of(Survey& survey, const Schedule& one) {
  return {one.preset,     one.shared,     one.scatter,
          one.vector > 1, one.edge_cells, survey.stages(one).launches.size()};
}

class Search {
 public:
  Search(const ir::Stencil& stencil, Target target, const Device& device, const Measure& measure)
      : stencil_(stencil), target_(target), device_(device), measure_(measure) {}

  std::vector<Trial> run(const std::string& chosen) {
    std::vector<std::string> seeds = promising(all());
    if (seeds.size() > kSeeds) seeds.resize(kSeeds);
    seeds.insert(seeds.begin(), chosen);
    try_all(seeds);
    while (improve()) {
    }
    return std::move(trials_);
  }

 private:
  // The common changes to every preset, and the shapes from which the compiler chooses.
  std::vector<std::string> all() const {
    std::vector<std::string> texts = candidates(stencil_, target_, device_);
    if (target_ == Target::cpu || stencil_.colors.count() != 0) return texts;
    std::set<std::string> known(texts.begin(), texts.end());
    std::vector<Schedule> more;
    if (stencil_.rank() > 1) more = shapes(reads_of(stencil_), stencil_.rank(), device_);
    Survey survey(stencil_);
    const std::vector<Schedule> deep = deep_shapes(survey, device_, usual_extents(stencil_.rank()));
    more.insert(more.end(), deep.begin(), deep.end());
    for (Schedule shape : more) {
      shape.preset = "coarsened";
      const std::string text = print(shape, stencil_);
      if (parse(text, stencil_, target_, device_).problem.empty() && known.insert(text).second)
        texts.push_back(text);
    }
    return texts;
  }

  // The best of each kind first, then the second best of each; within each group by prediction.
  std::vector<std::string> promising(const std::vector<std::string>& texts) const {
    using Place =
        std::tuple<size_t, double, size_t>;  // rank in its kind, seconds, index in the list
    std::map<Kind, std::vector<std::pair<double, size_t>>> kinds;
    Survey survey(stencil_);
    for (size_t n = 0; n < texts.size(); ++n) {
      const Schedule schedule = parse(texts[n], stencil_, target_, device_).schedule;
      kinds[kind_of(survey, schedule)].emplace_back(seconds_of(schedule), n);
    }
    std::vector<Place> places;
    for (auto& [kind, list] : kinds) {
      std::sort(list.begin(), list.end());
      for (size_t place = 0; place < list.size(); ++place)
        places.emplace_back(place, list[place].first, list[place].second);
    }
    std::sort(places.begin(), places.end());
    std::vector<std::string> sorted;
    for (const Place& place : places) sorted.push_back(texts[std::get<2>(place)]);
    return sorted;
  }

  // Predicted, per cell. A schedule that spills is as fast as predicted only where the model is
  // wrong.
  double seconds_of(const Schedule& schedule) const {
    if (target_ == Target::cpu) return 1;
    const Forecast seen = forecast(stencil_, schedule, device_, usual_extents(stencil_.rank()));
    if (seen.rate == 0) return std::numeric_limits<double>::infinity();
    return (seen.spills ? kSpilling : 1) / seen.rate;
  }

  // Those that were not tried yet.
  void try_all(const std::vector<std::string>& texts) {
    std::vector<std::string> fresh;
    for (const std::string& text : texts)
      if (tried_.insert(text).second) fresh.push_back(text);
    if (over_ || fresh.empty()) return;
    const std::vector<Outcome> outcomes = measure_(fresh);
    over_ = outcomes.size() < fresh.size();
    for (size_t n = 0; n < std::min(outcomes.size(), fresh.size()); ++n)
      trials_.push_back({fresh[n], outcomes[n]});
  }

  // The few fastest, as indices into trials_.
  std::vector<size_t> few() const {
    std::vector<size_t> places;
    for (size_t n = 0; n < trials_.size(); ++n)
      if (trials_[n].outcome.problem.empty()) places.push_back(n);
    std::stable_sort(places.begin(), places.end(), [&](size_t a, size_t b) {
      return trials_[a].outcome.seconds < trials_[b].outcome.seconds;
    });
    if (places.size() > kFew) places.resize(kFew);
    return places;
  }

  // Tries the neighbours of each of the few fastest until one is faster. Returns whether there is
  // more to gain.
  bool improve() {
    const std::vector<size_t> begin = few();
    for (const size_t place : begin) {
      const Trial from = trials_[place], best = trials_[begin[0]];
      if (over_ || !looked_beside_.insert(from.schedule).second) continue;
      try_all(promising(neighbours(from.schedule, stencil_, target_, device_)));
      if (is_faster(trials_[few()[0]], best)) return true;
    }
    return false;
  }

  const ir::Stencil& stencil_;
  const Target target_;
  const Device& device_;
  const Measure& measure_;
  std::vector<Trial> trials_;
  std::set<std::string> tried_, looked_beside_;
  bool over_ = false;
};

}  // namespace

std::vector<Trial> tune(const ir::Stencil& stencil, Target target, const Device& device,
                        const std::string& chosen, const Measure& measure) {
  return Search(stencil, target, device, measure).run(chosen);
}

const Trial* fastest(const std::vector<Trial>& trials) {
  const Trial* best = nullptr;
  for (const Trial& trial : trials)
    if (trial.outcome.problem.empty() && (!best || is_faster(trial, *best))) best = &trial;
  return best;
}

}  // namespace stencilc::plan
