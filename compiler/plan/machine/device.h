// Describes what GPUs offer: the limits of each compute capability, and the rates of cards.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "diag/diagnostic.h"

namespace stencilc::plan {

// The limits of one compute capability. Memory is in bytes; a register has four.
struct Device {
  int arch = 75;  // sm_75

  // Per multiprocessor.
  int warps = 32, blocks = 16;
  int registers = 65536;
  int partitions = 4;  // of a multiprocessor; warps and registers are divided evenly among them
  int shared = 65536;
  std::optional<int> f32_lanes, f64_lanes;  // fused multiply-adds that can be issued per clock

  // Per block and per thread.
  int block_threads = 1024;
  int block_registers = 65536;
  int block_shared = 65536;  // what a kernel can have; above 49152 bytes only as dynamic memory
  int reserved_shared = 0;   // what each block needs in addition
  int thread_registers = 255;

  // Registers are allocated to warps, and shared memory to blocks, in multiples of these.
  int register_unit = 256, shared_unit = 256;

  bool async_copies = false;  // from device to shared memory, past the registers (cp.async)
  bool barriers = false;      // in shared memory, with phases (mbarrier)
  bool box_copies = false;    // bulk copies by tensor maps (TMA), counted by such barriers
  bool clusters = false;      // blocks can read each other's shared memory
};

inline constexpr int kWarp = 32;  // threads, on all devices

// All architectures that nvcc 13.0 compiles for, in ascending order.
std::span<const Device> devices();

// The device of a name such as sm_90, or null.
const Device* find_device(std::string_view name);

// The device whose number is nearest to the digits in the text; null if it has no digits.
const Device* nearest_device(std::string_view text);

// The name, such as sm_90.
std::string name(const Device& device);

// Reports an unknown architecture. `besides` is the other word that is allowed here.
diag::Diagnostic& report_unknown_device(const std::string& name, diag::Range at,
                                        const std::string& besides, diag::Engine& engine);

// What emitted code may run on if no architecture is named.
const Device& any_device();

// A device that combines the worst limits of `devices`, which is not empty.
Device common(std::span<const Device> devices);

// The card that represents its compute capability.
struct Card {
  std::string_view name;
  int arch = 0;
  int multiprocessors = 0;
  std::optional<double> bandwidth;  // GB/s of its memory, from the data sheet
  std::optional<double> copy;       // GB/s of a measured copy, read plus written
  std::optional<int> l2;            // MiB
  std::optional<double> clock;      // GHz, the maximum
};

// Null if no card is known.
const Card* find_card(int arch);

// The architecture of a card.
const Device& device_of(const Card& card);

// The card whose rates the model uses: that of the device if they are known, otherwise that of the
// nearest capability. If no device is named, the card on which the model was fitted.
const Card& card_for(const Device& device);

}  // namespace stencilc::plan
