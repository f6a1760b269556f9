#include "check/block/phase_barrier.h"

#include <algorithm>
#include <cstring>

#include "check/memory/device_memory.h"

namespace stencilc::check {
namespace {

// The part of a row of the box that is inside the grid, if any.
struct Row {
  const char* from = nullptr;
  char* to = nullptr;
  size_t bytes = 0;
};

// Calls visit(row) for each row of the box. Stops and returns false when it returns false.
template <class Visit>
bool for_each_row(const PendingBox& box, Visit visit) {
  const TensorMap& map = box.map;
  const auto extent = [&](int axis) { return static_cast<int64_t>(map.extents[axis]); };
  const int64_t size = map.element_size;
  const int64_t begin = std::max<int64_t>(box.first[0], 0);
  const int64_t end = std::min<int64_t>(int64_t{box.first[0]} + map.box[0], extent(0));
  char* to = box.to;
  for (uint32_t k = 0; k < map.box[2]; ++k) {
    for (uint32_t j = 0; j < map.box[1]; ++j, to += map.box[0] * size) {
      const int64_t y = int64_t{box.first[1]} + j, z = int64_t{box.first[2]} + k;
      if (begin >= end || y < 0 || y >= extent(1) || z < 0 || z >= extent(2)) continue;
      const char* row = map.data + y * static_cast<int64_t>(map.strides[1]) +
                        z * static_cast<int64_t>(map.strides[2]);
      if (!visit(Row{row + begin * size, to + (begin - box.first[0]) * size,
                     static_cast<size_t>((end - begin) * size)}))
        return false;
    }
  }
  return true;
}

std::string counted(int64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

bool can_land(const PendingBox& box) {
  return for_each_row(box,
                      [](const Row& row) { return device_memory::contains(row.from, row.bytes); });
}

void land(const PendingBox& box) {
  std::memset(box.to, 0, box.map.box_bytes());
  for_each_row(box, [](const Row& row) {
    std::memcpy(row.to, row.from, row.bytes);
    return true;
  });
}

std::string what_is_missing(const PhaseBarrier& barrier) {
  std::string text;
  if (barrier.missing != 0) text = counted(barrier.missing, "arrival");
  if (barrier.bytes > 0) text += (text.empty() ? "" : " and ") + counted(barrier.bytes, "byte");
  if (barrier.bytes < 0)
    text += (text.empty() ? "nothing" : "") + std::string(", with ") +
            counted(-barrier.bytes, "byte") + " more than expected";
  return text;
}

}  // namespace stencilc::check
