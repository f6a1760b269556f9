// What GPUs offer to a kernel: the limits of each compute capability, and figures of cards.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "diag/diagnostic.h"

namespace stencilc::plan {

// A compute capability. Memory is counted in bytes, registers hold four.
struct Device {
  int arch = 75;  // of sm_75

  // Of a multiprocessor.
  int warps = 32, blocks = 16;
  int registers = 65536;
  int partitions = 4;  // which share warps and registers evenly
  int shared = 65536;
  std::optional<int> f32_lanes, f64_lanes;  // multiply-adds that begin in a clock

  // Of a block and of a thread.
  int block_threads = 1024;
  int block_registers = 65536;
  int block_shared = 65536;  // what a kernel can ask for, beyond 49152 only as dynamic memory
  int reserved_shared = 0;   // what each block takes besides
  int thread_registers = 255;

  // A warp gets registers, and a block shared memory, in multiples of these.
  int register_unit = 256, shared_unit = 256;

  bool async_copies = false;  // from device to shared memory, past the registers (cp.async)
  bool barriers = false;      // in shared memory, with phases (mbarrier)
  bool box_copies = false;    // by tensor maps (TMA), counted by such barriers
  bool clusters = false;      // of blocks that read each other's shared memory
};

inline constexpr int kWarp = 32;  // threads, on all of them

// All that nvcc 13.0 compiles for, in ascending order.
std::span<const Device> devices();

// The device of a name such as sm_90; null: there is none.
const Device* find_device(std::string_view name);

// The device whose number is nearest to the digits of a text; null: it has no digits.
const Device* nearest_device(std::string_view text);

// The name that find_device() knows it by.
std::string name(const Device& device);

// Reports a name that find_device() does not know; `besides` is what else may stand there.
diag::Diagnostic& report_unknown_device(const std::string& name, diag::Range at,
                                        const std::string& besides, diag::Engine& engine);

// What emitted code may meet where nobody says on what it is to run.
const Device& any_device();

// A device that is not better than any of these in anything, and offers all that all of them offer;
// `devices` is not empty.
Device common(std::span<const Device> devices);

// A card that stands for its capability.
struct Card {
  std::string_view name;
  int arch = 0;
  int multiprocessors = 0;
  std::optional<double> bandwidth;  // GB/s of its memory, by its data sheet
  std::optional<double> copy;       // GB/s, read and written, of a measured copy
  std::optional<int> l2;            // MiB
  std::optional<double> clock;      // GHz, at most
};

// Null: none is known.
const Card* find_card(int arch);

// The card with whose rates to reckon: the device's own where they are known, otherwise that of the
// nearest capability. Where nobody names a device, that on which the rates of the model were
// measured.
const Card& card_for(const Device& device);

}  // namespace stencilc::plan
