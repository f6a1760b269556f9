#include "sema/declarations/schedules.h"

namespace stencilc::sema {
namespace {

ir::ScheduleBlock::Word word_of(const ast::Schedule::Part& part) {
  if (!part.has_value) return {part.name.name, part.name.at};
  ir::ScheduleBlock::Word whole = {part.name.name + "=" + part.value.name,
                                   {part.name.at.begin, part.value.at.end, part.name.at.file}};
  for (const ast::Schedule::Part& inner : part.shape) {
    const ir::ScheduleBlock::Word word = word_of(inner);
    whole.text += (&inner == part.shape.data() ? "(" : ",") + word.text;
    whole.at.end = word.at.end;
  }
  if (!part.shape.empty()) whole.text += ")";
  return whole;
}

}  // namespace

void take_schedules(const ast::Stencil& source, Scope& scope) {
  for (const ast::Item& item : source.items) {
    const auto* schedule = std::get_if<ast::Schedule>(&item.node);
    if (!schedule) continue;
    ir::ScheduleBlock& block = scope.stencil.schedules.emplace_back();
    block.at = item.at;
    for (const ast::Ident& target : schedule->targets)
      block.targets.push_back({target.name, target.at});
    for (const ast::Schedule::Part& part : schedule->parts) block.parts.push_back(word_of(part));
  }
}

}  // namespace stencilc::sema
