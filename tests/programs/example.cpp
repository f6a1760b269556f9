#include "programs/example.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "diag/render.h"
#include "driver/pipeline/compile.h"
#include "driver/pipeline/imports.h"

namespace stencilc::programs {
namespace {

struct Compiled {
  std::vector<ir::Stencil> stencils;
  std::string complaints;
  bool refused = false;
};

Compiled compile(const std::string& text, const std::string& stencil) {
  diag::Sources sources = {{"in.stn", text}};
  diag::Engine engine;
  const ast::Program program = driver::load(sources, {STENCILC_SOURCE_DIR "/examples"}, engine);
  driver::CompileOptions options;
  options.stencil = stencil;
  Compiled result;
  if (!engine.has_errors()) result.stencils = driver::front_end(sources, program, options, engine);
  for (const diag::Diagnostic& diagnostic : engine.all())
    result.complaints += diag::render_gnu(diagnostic, sources, false);
  result.refused = engine.has_errors();
  return result;
}

ir::Stencil compiled(const std::string& text, const std::string& stencil) {
  Compiled result = compile(text, stencil);
  if (result.refused) throw std::runtime_error(result.complaints);
  if (result.stencils.size() != 1) throw std::runtime_error("the program holds several stencils");
  return std::move(result.stencils[0]);
}

template <class Named>
size_t find(const std::vector<Named>& all, const std::string& name) {
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name) return i;
  throw std::runtime_error("there is no " + name);
}

void assign(ir::Scalar& to, double value) {
  to = ir::convert(ir::make_real(ir::Type::f64, value), to.type);
}

void fill(std::vector<ir::Scalar>& values, const std::vector<double>& numbers) {
  if (values.size() != numbers.size()) throw std::runtime_error("another number of values");
  for (size_t i = 0; i < values.size(); ++i) assign(values[i], numbers[i]);
}

double number(const ir::Scalar& value) {
  return ir::is_float(value.type) ? value.real : static_cast<double>(value.integer);
}

std::vector<double> numbers(const std::vector<ir::Scalar>& values) {
  std::vector<double> result;
  for (const ir::Scalar& value : values) result.push_back(number(value));
  return result;
}

}  // namespace

std::string example_text(const std::string& name) {
  std::ifstream file(STENCILC_SOURCE_DIR "/examples/" + name + ".stn");
  if (!file) throw std::runtime_error("there is no example " + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string edited(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  if (at == std::string::npos || text.find(from, at + 1) != std::string::npos)
    throw std::runtime_error("`" + from + "` stands not once in the program");
  return text.replace(at, from.size(), to);
}

std::string complaints(const std::string& text) { return compile(text, "").complaints; }

Example::Example(const std::string& text, const Extents& extents, const std::string& stencil)
    : stencil_(compiled(text, stencil)), state_(interp::make_state(stencil_, extents)) {}

void Example::set(const std::string& field, const Array& values, int age) {
  fill(state_.fields[find(stencil_.fields, field)].at(age), values.cells);
}

void Example::param(const std::string& name, double value) {
  assign(state_.params[find(stencil_.params, name)], value);
}

void Example::weights(const std::string& name, const std::vector<double>& values) {
  fill(state_.weights[find(stencil_.weights, name)], values);
}

void Example::points(const std::string& name, const std::vector<std::array<double, 3>>& places) {
  state_.points[find(stencil_.points, name)] = places;
}

void Example::series(const std::string& name, const std::vector<double>& values) {
  const size_t index = find(stencil_.series, name);
  state_.series[index].assign(values.size(), ir::Scalar{stencil_.series[index].type});
  fill(state_.series[index], values);
}

int64_t Example::run(int64_t steps) { return interp::run(stencil_, state_, steps); }

Array Example::get(const std::string& field, int age) const {
  const size_t index = find(stencil_.fields, field);
  Extents extents = state_.extents;
  for (size_t a = 0; a < extents.size(); ++a)
    extents[a] = (stencil_.fields[index].along[a] ? extents[a] : 1) + 2 * state_.halos[index][a];
  Array result(extents);
  result.cells = numbers(state_.fields[index].at(age));
  return result;
}

std::vector<double> Example::series(const std::string& name) const {
  return numbers(state_.series[find(stencil_.series, name)]);
}

double Example::reduction(const std::string& name) const {
  return number(state_.reductions[find(stencil_.reductions, name)]);
}

}  // namespace stencilc::programs
