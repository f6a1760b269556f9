#include "driver/inputs/field_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "data/npy.h"
#include "data/png.h"
#include "diag/codes.h"
#include "driver/cli/report.h"
#include "driver/execute/call.h"
#include "driver/system/files.h"
#include "driver/system/input_errors.h"

namespace stencilc::driver {
namespace {

using data::Element;

// long double holds every i64 and f64.
std::vector<long double> values_of(const data::Array& array) {
  std::vector<long double> values(static_cast<size_t>(array.count()));
  data::visit(array.element, [&](auto zero) {
    using T = decltype(zero);
    const T* from = array.as<T>();
    for (long double& value : values) {
      if constexpr (data::is_half<T>)
        value = static_cast<double>(*from++);
      else
        value = static_cast<long double>(*from++);
    }
  });
  return values;
}

// The losses of a conversion.
struct Loss {
  int64_t rounded = 0, infinite = 0;
  std::optional<long double> unheld;  // the first value that an integer type cannot hold
};
Loss loss_of(const data::Array& from, const data::Array& to) {
  const std::vector<long double> before = values_of(from), after = values_of(to);
  Loss loss;
  for (size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i] || (std::isnan(before[i]) && std::isnan(after[i]))) continue;
    ++loss.rounded;
    loss.infinite += std::isinf(after[i]);
    if (!data::is_real(to.element) && !loss.unheld) loss.unheld = before[i];
  }
  return loss;
}

std::optional<data::Array> as_field(const data::Array& array, const std::string& file,
                                    const ir::Field& field, bool strict,
                                    std::vector<std::string>& notes, diag::Engine& engine) {
  const Element wanted = element_of(field.type);
  const std::string holds = fmt::format("`{}` holds {} values", file, data::name_of(array.element));
  const auto refuse = [&](const std::string& why) {
    bad_input(engine, fmt::format("{} and the field `{}` is {}: {}", holds, field.name,
                                  data::name_of(wanted), why));
    return std::optional<data::Array>();
  };
  auto made = data::converted(array, wanted);
  if (!made.ok()) return refuse(made.error());
  const Loss loss = loss_of(array, *made);
  if (loss.unheld)
    return refuse(fmt::format("the field cannot hold {:g}", static_cast<double>(*loss.unheld)));
  const std::string count = fmt::format("{} of {}", loss.rounded, array.count());
  if (loss.rounded != 0 && strict)
    return refuse(fmt::format("{} would be rounded (--strict)", count));
  const std::string infinite =
      loss.infinite == 0 ? "" : fmt::format(", {} of them to infinity", loss.infinite);
  notes.push_back(loss.rounded == 0
                      ? fmt::format("{}; they are exact in {}", holds, data::name_of(wanted))
                      : fmt::format("{}; {} are rounded to {}{} (--strict refuses that)", holds,
                                    count, data::name_of(wanted), infinite));
  return std::move(*made);
}

}  // namespace

bool ends_in(const std::string& file, std::string_view ending) {
  return file.size() > ending.size() &&
         std::equal(
             ending.begin(), ending.end(), file.end() - static_cast<long>(ending.size()),
             [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

bool is_file(const std::string& what) { return ends_in(what, ".png") || ends_in(what, ".npy"); }

std::string unread_file(const std::string& what) {
  const std::string name = what.substr(0, what.find(':'));
  if (ends_in(what, ".npz"))
    return "a .npz file holds several arrays: save one as .npy, for example with "
           "`np.save(\"u.npy\", "
           "np.load(\"" +
           what + "\")[\"u\"])`";
  if (name.find_first_of("./") == std::string::npos) return "";
  return "only .npy (NumPy) and .png files can be read; convert it";
}

std::string numbered_file(const std::string& path) {
  const size_t percent = path.find('%');
  if (percent == std::string::npos) return "";
  const size_t end = path.find_first_not_of("0123456789", percent + 1);
  if (end == std::string::npos || std::string_view("diu").find(path[end]) == std::string_view::npos)
    return "";
  return fmt::format("a run writes only its last step, and does not number files: leave out `{}`",
                     path.substr(percent, end + 1 - percent));
}

std::optional<data::Array> read_field(const std::string& file, const ir::Field& field, bool strict,
                                      std::vector<std::string>& notes, diag::Engine& engine) {
  const Text text = read_text(file, kMaxData);
  if (!text.problem.empty()) {
    engine.report(diag::cannot_read, diag::nowhere,
                  fmt::format("cannot read `{}`: {}", file, text.problem));
    return {};
  }
  const Element wanted = element_of(field.type);
  bool colours = false;
  auto array = ends_in(file, ".png") ? data::parse_png(text.text, wanted, &colours)
                                     : data::parse_npy(text.text);
  if (!array.ok()) {
    bad_input(engine, fmt::format("`{}`: {}", file, array.error()));
    return {};
  }
  if (colours)
    notes.push_back(fmt::format(
        "`{}` is a colour image; `{}` is filled with its brightness (Rec. 709)", file, field.name));
  if (array->element == wanted) return std::move(*array);
  return as_field(*array, file, field, strict, notes, engine);
}

}  // namespace stencilc::driver
