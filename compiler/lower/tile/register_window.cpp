#include "lower/tile/register_window.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace stencilc::lower {

using kernel::ExprPtr;

namespace {

struct Span {
  int low = 0, high = 0;
};
using Key = std::tuple<int, int, ir::Offset>;  // field, level, offset
using Columns = std::map<Key, Span>;

// Where it stands along the axis; the offset is left without.
int take(ir::Offset& offset, int axis) { return axis < 0 ? 0 : std::exchange(offset[axis], 0); }

void add(Columns& columns, const Key& key, const Span& span) {
  const auto [place, fresh] = columns.try_emplace(key, span);
  place->second = {std::min(place->second.low, span.low), std::max(place->second.high, span.high)};
}

Columns columns_of(const Context& context, const std::vector<ir::ExprPtr>& values, int axis) {
  Columns columns;
  for (const ir::ExprPtr& node : ir::nodes_of(values)) {
    const auto* read = ir::as<ir::Read>(node);
    if (!read || !ir::has_all_axes(context.stencil, context.stencil.fields[read->field])) continue;
    ir::Offset column = read->offset;
    const int along = take(column, axis);
    add(columns, {read->field, read->level, column}, {along, along});
  }
  return columns;
}

// The columns of a thread's own cells beside which others are read, wide enough for all of these.
// Where it would read none but one beside, nothing is gained.
Columns own_columns(const Columns& columns) {
  std::map<Key, std::set<int>> offsets;  // along x
  Columns own;
  for (const auto& [key, span] : columns) {
    Key here = key;
    const int x = std::exchange(std::get<2>(here)[0], 0);
    offsets[here].insert(x);
    add(own, here, span);
  }
  std::erase_if(own, [&](const auto& column) { return offsets[column.first].size() < 2; });
  return own;
}

Window window_of(const Context& context, const Key& key, const Span& span, int axis, Names& names) {
  Window window{std::get<0>(key), std::get<1>(key), std::get<2>(key), span.low, span.high, {}, {}};
  const std::string base = buffer_of(context, ir::Read{window.field, window.level, {}}).name;
  for (int along = window.low; along <= window.high; ++along) {
    ir::Offset offset = window.column;
    if (axis >= 0) offset[axis] = along;
    const std::string name = context.name_at(base, offset);
    window.names.push_back(names.claim(offset == ir::Offset{} ? name + "_0" : name));
  }
  return window;
}

}  // namespace

std::vector<Window> windows_of(const Context& context, const std::vector<ir::ExprPtr>& values,
                               int axis, bool lanes, Names& names) {
  const Columns columns = columns_of(context, values, axis);
  const Columns own = lanes ? own_columns(columns) : Columns();
  std::vector<Window> result;
  for (const auto& [key, span] : own) result.push_back(window_of(context, key, span, axis, names));
  for (const auto& [key, span] : columns) {
    Key here = key;
    std::get<2>(here)[0] = 0;
    const auto beside = own.find(here);
    if (beside != own.end() && here == key) continue;
    if (beside == own.end() && span.low == span.high) continue;
    Window window = window_of(context, key, span, axis, names);
    if (beside != own.end()) {
      const Window& first = result[std::distance(own.begin(), beside)];
      const auto from = first.names.begin() + (span.low - first.low);
      window.own.assign(from, from + (span.high - span.low + 1));
    }
    result.push_back(std::move(window));
  }
  return result;
}

ExprPtr arriving(const Context& context, const Window& window, int axis, int along,
                 const std::vector<ExprPtr>& at, const ExprPtr& i) {
  ir::Read read{window.field, window.level, window.column};
  if (axis >= 0) read.offset[axis] = along;
  if (window.own.empty()) return interior_tap(context, at, i, read);
  const int distance = std::exchange(read.offset[0], 0);
  const kernel::Buffer& buffer = buffer_of(context, read);
  return kernel::make(buffer.element,
                      kernel::Beside{kernel::var(window.own[along - window.low], buffer.element),
                                     buffer, shifted(context, i, read.offset), distance});
}

ExprPtr held(const Context& context, const std::vector<Window>& windows, int axis,
             const ir::Read& read) {
  ir::Offset column = read.offset;
  const int along = take(column, axis);
  for (const Window& window : windows)
    if (window.field == read.field && window.level == read.level && window.column == column &&
        along >= window.low && along <= window.high)
      return kernel::var(window.names[along - window.low], buffer_of(context, read).element);
  return nullptr;
}

}  // namespace stencilc::lower
