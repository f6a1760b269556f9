#include "driver/explain/json.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "driver/system/json_text.h"
#include "generated/version.h"
#include "plan/machine/occupancy.h"
#include "plan/syntax/print_schedule.h"

namespace stencilc::driver {
namespace {

using nlohmann::ordered_json;

constexpr int kSchema = 2;

// Rounds to the digits that a prediction has.
double rounded(double value) { return std::strtod(fmt::format("{:.4g}", value).c_str(), nullptr); }

std::string key(plan::Limit limit) {
  constexpr const char* kKeys[] = {"memory", "l2", "l1", "instructions", "latency"};
  return kKeys[static_cast<size_t>(limit)];
}

ordered_json json_of(const ir::Operations& count) {
  return {{"additions", count.additions},
          {"multiplications", count.products},
          {"fused", count.fused},
          {"divisions", count.divisions},
          {"roots", count.roots},
          {"functions", count.functions},
          {"extrema", count.extrema},
          {"integers", count.integers},
          {"comparisons", count.comparisons},
          {"logic", count.logic},
          {"selections", count.selections},
          {"conversions", count.conversions}};
}

ordered_json json_of(const FieldUse& use) {
  ordered_json points = ordered_json::array();
  for (const auto& [level, number] : use.points)
    points.push_back({{"level", level}, {"points", number}});
  ordered_json field = {{"name", use.name}, {"type", use.type},     {"role", ir::name(use.role)},
                        {"reads", points},  {"radius", use.radius}, {"buffers", use.buffers}};
  if (!use.boundary.empty()) field["boundary"] = use.boundary;
  return field;
}

ordered_json json_of(const KernelUse& kernel, const std::vector<DeviceForecast>& devices) {
  constexpr const char* kWhen[] = {"always", "with reductions", "without reductions"};
  ordered_json held = ordered_json::array();
  for (size_t d = 0; d < devices.size(); ++d)
    held.push_back({{"arch", plan::name(devices[d].device)},
                    {"blocks", kernel.held[d]},
                    {"warps", kernel.held[d] * plan::warps_of(kernel.block_threads)},
                    {"of_warps", devices[d].device.warps}});
  return {{"name", kernel.name},
          {"when", kWhen[kernel.when]},
          {"threads", kernel.threads},
          {"cells", kernel.cells},
          {"block_threads", kernel.block_threads},
          {"most_steps", kernel.most_steps},
          {"shared_bytes", kernel.shared},
          {"points", kernel.points},
          {"operations", json_of(kernel.operations)},
          {"if_registers_allow", held},
          {"without", kernel.without}};
}

ordered_json json_of(const plan::Roofline& roofline) {
  ordered_json json = {{"bytes_per_second", roofline.rate * 1e9},
                       {"measured", roofline.copied},
                       {"cells_per_second_by_memory", rounded(roofline.by_memory)}};
  if (roofline.by_arithmetic)
    json["cells_per_second_by_arithmetic"] = rounded(*roofline.by_arithmetic);
  return json;
}

// Operations of a cell outside of edge blocks, and what the registers are estimated from.
ordered_json json_of(const plan::KernelSize& size) {
  const plan::KernelCode& code = size.code;
  const auto of_cell = [&](double of_pass) { return rounded(of_pass / std::max(1.0, code.cells)); };
  return {{"f32", of_cell(code.f32)},
          {"f64", of_cell(code.f64)},
          {"integer", of_cell(code.integer)},
          {"choices", of_cell(code.choices)},
          {"conversions", of_cell(code.conversions)},
          {"divisions", of_cell(code.divisions)},
          {"divisions_f64", of_cell(code.divisions_f64)},
          {"functions", of_cell(code.functions)},
          {"functions_f64", of_cell(code.functions_f64)},
          {"loads", of_cell(code.loads)},
          {"stores", of_cell(code.stores)},
          {"moves", of_cell(code.moves)},
          {"edge_places", of_cell(code.edge_places)},
          {"cells_of_a_pass", code.cells},
          {"live_words", size.live_words},
          {"kept_words", size.kept_words},
          {"inside_words", size.inside_words},
          {"addresses", size.addresses}};
}

ordered_json json_of(const plan::Prediction& one, const std::string& kernel,
                     const plan::Device& device) {
  ordered_json clocks;
  for (size_t n = 0; n < one.clocks.size(); ++n)
    clocks[key(static_cast<plan::Limit>(n))] = rounded(one.clocks[n]);
  ordered_json json = {{"kernel", kernel},
                       {"registers", one.registers},
                       {"registers_suffice", !one.spills},
                       {"shared_bytes", one.shared},
                       {"blocks", one.resident},
                       {"warps", one.warps},
                       {"steps", one.steps},
                       {"computed_per_cell", rounded(one.computed)},
                       {"of_warps", device.warps},
                       {"occupancy", rounded(static_cast<double>(one.warps) / device.warps)},
                       {"limit", key(one.limit)},
                       {"clocks_per_cell", clocks},
                       {"bytes_per_cell",
                        {{"loaded_by_threads", rounded(one.moved.loaded)},
                         {"from_l2", rounded(one.moved.fetched)},
                         {"from_memory", rounded(one.moved.read)},
                         {"stored", rounded(one.moved.stored)}}},
                       {"edge_blocks", rounded(one.edge_blocks)},
                       {"waves", rounded(one.waves)}};
  if (one.size) json["code"] = json_of(*one.size);
  return json;
}

ordered_json json_of(const plan::Alternative& other, const plan::Forecast& taken,
                     const ir::Stencil& stencil) {
  ordered_json json = {{"schedule", plan::print(other.schedule, stencil)}};
  json["runs"] = other.forecast.rate > 0;
  json["registers_suffice"] = !other.forecast.spills;
  if (other.forecast.rate == 0) return json;
  json["of_chosen"] = rounded(taken.seconds() / other.forecast.seconds());
  json["limit"] = key(plan::longest(other.forecast).limit);
  json["computed_per_cell"] = rounded(plan::longest(other.forecast).computed);
  return json;
}

ordered_json prediction_of(const DeviceForecast& on, const Explanation& all) {
  const plan::Forecast& seen = on.forecast;
  ordered_json json = {
      {"size", std::vector(seen.extents.begin(), seen.extents.begin() + all.stencil.rank())},
      {"runs", seen.rate > 0}};
  if (seen.rate == 0) return json;
  json["cells_per_second"] = rounded(seen.cells() / seen.seconds());
  json["seconds_per_step"] = rounded(seen.seconds());
  if (const auto part = on.of_roofline()) json["of_roofline"] = rounded(*part);
  json["limit"] = key(plan::longest(seen).limit);
  json["notes"] = on.notes;
  for (size_t n = 0; n < seen.launches.size(); ++n)
    json["kernels"].push_back(json_of(seen.launches[n], on.kernels[n], on.device));
  json["rejected"] = ordered_json::array();
  for (const plan::Alternative& other : on.others)
    json["rejected"].push_back(json_of(other, seen, all.stencil));
  json["not_modelled"] = on.not_modelled;
  return json;
}

ordered_json json_of(const Pieces& pieces, size_t rank) {
  ordered_json fields = ordered_json::array();
  for (const LegField& one : pieces.fields)
    fields.push_back({{"name", one.name},
                      {"cut", one.cut},
                      {"exchanged", one.exchanged},
                      {"reads", {{"in_front", one.low}, {"behind", one.high}}}});
  return {{"devices", pieces.devices},
          {"axis", pieces.axis},
          {"size", std::vector(pieces.extents.begin(), pieces.extents.begin() + rank)},
          {"leg_steps", pieces.steps},
          {"thinnest", pieces.thinnest},
          {"fields", fields},
          {"waits", pieces.waits},
          {"copies", pieces.copies},
          {"bytes", {{"to_front", pieces.bytes_before}, {"to_behind", pieces.bytes_after}}}};
}

ordered_json json_of(const MeshForecast& one) {
  if (!one.why_not.empty()) return {{"shared", one.shared}, {"why_not", one.why_not}};
  return {{"shared", one.shared},
          {"form", plan::name(one.leg.form)},
          {"leg_steps", one.leg.steps},
          {"planes", one.leg.planes},
          {"seconds",
           {{"leg", rounded(one.time.leg())},
            {"compute", rounded(one.time.compute)},
            {"twice", rounded(one.time.twice)},
            {"exchange", rounded(one.time.exchange)},
            {"host", rounded(one.time.host)},
            {"one_device", rounded(one.one)}}},
          {"efficiency", rounded(one.efficiency)}};
}

ordered_json json_of(const DeviceForecast& on, const Explanation& all) {
  ordered_json json = {{"arch", plan::name(on.device)}};
  if (on.roofline) json["roofline"] = json_of(*on.roofline);
  if (!on.forecast.launches.empty()) {
    json["card"] = on.forecast.card->name;
    json["prediction"] = prediction_of(on, all);
  }
  if (all.pieces) {
    json["mesh"] = ordered_json::array();
    for (const MeshForecast& one : on.mesh) json["mesh"].push_back(json_of(one));
  }
  json["advice"] = on.advice;
  return json;
}

ordered_json json_of(const Explanation& all) {
  ordered_json fields = ordered_json::array(), kernels = fields, devices = fields;
  for (const FieldUse& use : all.fields) fields.push_back(json_of(use));
  for (const KernelUse& kernel : all.kernels) kernels.push_back(json_of(kernel, all.devices));
  for (const DeviceForecast& on : all.devices) devices.push_back(json_of(on, all));
  const plan::Schedule& schedule = all.plan.schedule;
  ordered_json cell = {{"bytes", {{"read", all.traffic.read}, {"stored", all.traffic.stored}}},
                       {"operations", json_of(all.operations)},
                       {"flops", all.operations.flops()}};
  if (all.traffic.bytes() > 0)
    cell["flops_per_byte"] =
        rounded(static_cast<double>(all.operations.flops()) / all.traffic.bytes());
  ordered_json chosen = {{"text", plan::print(schedule, all.stencil)},
                         {"reason", schedule.reason},
                         {"stages", all.plan.stages.reasons},
                         {"unused_blocks", all.unused_blocks},
                         {"tuned", schedule.tuned}};
  if (schedule.line != 0) chosen["line"] = schedule.line;
  if (!all.why_one.empty()) chosen["one_step_because"] = all.why_one;
  if (all.workspace)
    chosen["workspace"] = {{"values", all.workspace->values},
                           {"bytes", all.workspace->bytes},
                           {"size", all.workspace->extents},
                           {"formula", all.workspace->formula}};
  ordered_json json = {
      {"schema", kSchema},        {"stencilc", kVersion}, {"stencil", all.stencil.name},
      {"axes", all.stencil.axes}, {"fields", fields},     {"schedule", chosen},
      {"kernels", kernels},       {"cell", cell},         {"devices", devices},
      {"advice", all.advice}};
  if (all.pieces) json["pieces"] = json_of(*all.pieces, all.stencil.axes.size());
  return json;
}

}  // namespace

std::string json_of(const std::vector<Explanation>& stencils) {
  if (stencils.size() == 1) return json_text(json_of(stencils[0]));
  ordered_json all = ordered_json::array();
  for (const Explanation& one : stencils) all.push_back(json_of(one));
  return json_text(all);
}

}  // namespace stencilc::driver
