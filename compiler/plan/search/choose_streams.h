// Chooses schedules whose threads keep values in registers while they stream.
#pragma once

#include <functional>
#include <optional>

#include "plan/model/one_step.h"
#include "plan/search/choose_tiles.h"

namespace stencilc::plan {

// The fastest schedule that streams all values of a stencil of two axes; none: it has no such
// values, or its kernels are long. `forecast`: of a schedule. `early`: may launches begin early?
std::optional<Timed> with_streams(
    Survey& survey, bool early, const std::function<Forecast(const Schedule& schedule)>& forecast);

}  // namespace stencilc::plan
