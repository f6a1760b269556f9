#include "plan/machine/occupancy.h"

#include <algorithm>

namespace stencilc::plan {
namespace {

int rounded_up(int value, int unit) { return (value + unit - 1) / unit * unit; }

// Blocks whose registers fit. A warp gets its registers from one partition, and the hardware
// requires room as if the warps of a block were spread evenly over all partitions.
int by_registers(const Device& device, int warps, int registers) {
  if (registers == 0) return device.blocks;
  if (registers > device.thread_registers) return 0;
  const int of_warp = rounded_up(registers * kWarp, device.register_unit);
  if (of_warp * rounded_up(warps, device.partitions) > device.block_registers) return 0;
  return device.registers / device.partitions / of_warp * device.partitions / warps;
}

int by_shared(const Device& device, int shared) {
  if (shared > device.block_shared) return 0;
  const int of_block = rounded_up(shared + device.reserved_shared, device.shared_unit);
  return of_block == 0 ? device.blocks : device.shared / of_block;
}

}  // namespace

int warps_of(int threads) { return rounded_up(threads, kWarp) / kWarp; }

int occupancy(const Device& device, int threads, int registers, int shared) {
  if (threads < 1 || threads > device.block_threads) return 0;
  const int warps = warps_of(threads);
  return std::min({device.blocks, device.warps / warps, by_registers(device, warps, registers),
                   by_shared(device, shared)});
}

}  // namespace stencilc::plan
