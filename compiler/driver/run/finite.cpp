#include "driver/run/finite.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "diag/codes.h"
#include "driver/run/outputs.h"
#include "driver/system/progress.h"

namespace stencilc::driver {
namespace {

constexpr size_t kMaxBytes = size_t{2} << 30;  // of all arrays; the search needs two more of each

int64_t count_not_finite(const data::Array& array) {
  return data::visit(array.element, [&](auto type) {
    using T = decltype(type);
    int64_t count = 0;
    const T* const cells = array.as<T>();
    const int64_t size = array.count();
    if constexpr (data::is_half<T>) {
      for (int64_t i = 0; i < size; ++i) count += (cells[i].bits & 0x7fff) >= T::infinity_bits;
    } else if constexpr (std::is_floating_point_v<T>) {
      for (int64_t i = 0; i < size; ++i)
        count += !(std::abs(cells[i]) <= std::numeric_limits<T>::max());
    }
    return count;
  });
}

struct Cells {
  int64_t bad = 0, all = 0;
};

// Counts the newest level of a field without the halo, which belongs to the input.
Cells cells_of(const Ended& run, const HostData& data, int field) {
  const ir::Stencil& stencil = run.compiled.stencil;
  const data::Array& array = newest(stencil, data, field);
  const data::Extents halo = halo_of(stencil, static_cast<size_t>(field));
  int64_t all = 1;
  for (const int64_t extent : extents_of(stencil.fields[field], data.extents)) all *= extent;
  data::Extents low = halo, high = halo;
  // Of several processes only those at the ends of the grid have the halo there.
  const data::Planes planes = planes_of(stencil, static_cast<size_t>(field), data);
  if (planes.first > 0) low.back() = 0;
  if (planes.first + planes.count <
      array_extents(stencil, static_cast<size_t>(field), data.extents).back())
    high.back() = 0;
  const bool has_halo = std::ranges::any_of(halo, [](int64_t width) { return width != 0; });
  return {run.together(count_not_finite(has_halo ? without_halo(array, low, high) : array)), all};
}

// "1 of 24 cells of `u` is not finite"
std::string sentence(const Cells& cells, const std::string& what) {
  return fmt::format("{} of {} cell{} of {} {} not finite", cells.bad, cells.all,
                     cells.all == 1 ? "" : "s", what, cells.bad == 1 ? "is" : "are");
}

// Whether it is so in one of the processes.
bool in_any(const Ended& run, bool here) { return run.together(here ? 1 : 0) > 0; }

// The range of steps that contains the first step after which a field is not finite.
struct Since {
  int64_t earliest = 0, latest = 0;
};

class Search {
 public:
  Search(const Ended& run, const std::vector<int>& fields)
      : run_(run), stencil_(run.compiled.stencil), begin_(Clock::now()) {
    for (const int field : fields) pending_[field] = run.steps;
  }

  // By field, without those for which nothing is known. `inputs` are finite.
  std::map<int, Since> find(HostData inputs) {
    state_ = std::move(inputs);
    Progress progress("searching for the step", !run_.shows);
    while (!pending_.empty() && find_next(progress)) {
    }
    for (const auto& [field, latest] : pending_)
      if (done_ < latest) found_[field] = {done_ + 1, latest};
    return std::move(found_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Runs until the first of the pending fields is not finite: first in pieces that grow, since most
  // runs become infinite early, then by bisection of the last piece. Each piece starts where the
  // last finite one ended.
  bool find_next(Progress& progress) {
    for (int64_t grown = 1;; grown *= 2) {
      int64_t bad = run_.steps;
      for (const auto& [field, latest] : pending_) bad = std::min(bad, latest);
      const int64_t room = bad - done_;
      if (room <= 0) return false;  // this run ended differently
      const int64_t piece = std::min(grown, std::max<int64_t>(room / 2, 1));
      HostData next = state_;
      if (!advance(next, piece)) return false;
      bool finite = true;
      for (auto& [field, latest] : pending_) {
        if (cells_of(run_, next, field).bad == 0) continue;
        finite = false;
        latest = done_ + piece;
      }
      if (finite || piece == 1) {
        state_ = std::move(next);
        done_ += piece;
        progress.at(done_, run_.steps);
      }
      if (!finite && piece == 1) break;
    }
    for (const auto& [field, latest] : pending_)
      if (latest == done_) found_[field] = {done_, done_};
    std::erase_if(pending_, [&](const auto& one) { return one.second == done_; });
    return true;
  }

  bool advance(HostData& data, int64_t steps) {
    const double spent = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double each = taken_ > 0 ? spent / static_cast<double>(taken_) : 0;
    const bool late =
        spent + each * static_cast<double>(steps) > std::max(run_.budget, run_.seconds);
    if (in_any(run_, late)) return false;
    std::vector<double> seconds(1);
    if (in_any(run_, !call(run_.machine, data, steps, seconds).empty())) return false;
    data.first += steps;
    taken_ += steps;
    return true;
  }

  const Ended& run_;
  const ir::Stencil& stencil_;
  Clock::time_point begin_;
  std::map<int, int64_t> pending_;  // fields, and a step after which each is not finite
  HostData state_;                  // after done_ steps, where all pending fields are finite
  int64_t done_ = 0;
  int64_t taken_ = 0;  // steps in total
  std::map<int, Since> found_;
};

bool is_finite(const ir::Scalar& value) {
  return !ir::is_float(value.type) || std::isfinite(value.real);
}

bool all_finite(const SeriesValues& values) {
  for (size_t i = 0; i < values.size(); ++i)
    if (!is_finite(values[i])) return false;
  return true;
}

// A sentence for each input that is not finite.
std::vector<std::string> given_not_finite(const Ended& run, const HostData& inputs) {
  const ir::Stencil& stencil = run.compiled.stencil;
  std::vector<std::string> found;
  for (size_t f = 0; f < stencil.fields.size(); ++f) {
    const data::Array& array = newest(stencil, inputs, static_cast<int>(f));
    int64_t all = 1;
    for (const int64_t extent : array_extents(stencil, f, inputs.extents)) all *= extent;
    // Of several processes, each has all of a field without the axis that is cut.
    const int64_t bad = count_not_finite(array);
    const Cells cells{array.count() < all ? run.together(bad) : bad, all};
    if (cells.bad > 0)
      found.push_back(sentence(cells, fmt::format("the input of `{}`", stencil.fields[f].name)));
  }
  for (size_t p = 0; p < inputs.params.size(); ++p)
    if (!is_finite(inputs.params[p]))
      found.push_back(
          fmt::format("the param `{}` is {}", stencil.params[p].name, ir::print(inputs.params[p])));
  for (size_t w = 0; w < inputs.weights.size(); ++w)
    if (!std::ranges::all_of(inputs.weights[w], is_finite))
      found.push_back(fmt::format("the weights `{}` are not all finite", stencil.weights[w].name));
  for (size_t s = 0; s < inputs.series.size(); ++s)
    if (!all_finite(inputs.series[s]))
      found.push_back(fmt::format("the values of `{}` are not all finite", stencil.series[s].name));
  return found;
}

size_t bytes_of(const HostData& data) {
  size_t bytes = 0;
  for (const data::Array& array : data.buffers) bytes += array.bytes.size();
  return bytes;
}

}  // namespace

void check_finite(const Ended& run, diag::Engine& engine) {
  const ir::Stencil& stencil = run.compiled.stencil;
  std::vector<int> fields;
  std::map<int, Cells> cells;
  for (int f = 0; f < static_cast<int>(stencil.fields.size()); ++f) {
    if (stencil.fields[f].role == ir::Role::input) continue;
    cells[f] = cells_of(run, run.host, f);
    if (cells[f].bad > 0) fields.push_back(f);
  }
  if (fields.empty()) return;

  std::map<int, Since> since;
  std::vector<std::string> notes;
  HostData inputs;
  if (in_any(run, bytes_of(run.host) > kMaxBytes)) {
    notes.emplace_back("the step is not searched for, because the arrays have more than 2 GiB");
  } else if (!run.inputs) {
    notes.push_back("the step is not searched for " + run.unsearched);
  } else if (in_any(run, !run.inputs(inputs))) {
    notes.emplace_back("the step was not searched for, because the inputs cannot be read again");
  } else {
    notes = given_not_finite(run, inputs);
    if (notes.empty() && run.compiled.module.steps)
      since = Search(run, fields).find(std::move(inputs));
  }
  for (const int field : fields) {
    const std::string& name = stencil.fields[field].name;
    const std::string what = "`" + name + "`" + (run.channel.empty() ? "" : " in " + run.channel);
    std::string text = sentence(cells[field], what);
    const auto found = since.find(field);
    const bool exact = found != since.end() && found->second.earliest == found->second.latest;
    if (exact) text += fmt::format(", starting at step {}", run.first + found->second.latest);
    diag::Diagnostic& warning = engine.report(diag::not_finite, diag::nowhere, text);
    if (found != since.end() && !exact)
      warning.note(fmt::format("the first such step is between {} and {}; the search stopped there",
                               run.first + found->second.earliest,
                               run.first + found->second.latest));
    if (field == fields.front())
      for (const std::string& note : notes) warning.note(note);
  }
}

}  // namespace stencilc::driver
