#include "check/memory/device_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>

#include "check/memory/red_zone.h"

namespace stencilc::check::device_memory {
namespace {

constexpr size_t guard = size_t{1} << 20;
constexpr size_t page = 4096;
constexpr size_t alignment = 256;
constexpr unsigned char poison = 0xFF;

// In ascending order: guard, red zone up to `begin`, the bytes, red zone up to the end of a page,
// guard.
struct Block {
  char* begin;
  size_t bytes;
  char* pages;
  size_t page_bytes;
  uint32_t word;  // of its red zones
  Space space;
  bool closed = false;

  char* end() const { return begin + bytes; }
  char* pages_end() const { return pages + page_bytes; }
};

struct Pool {
  std::recursive_mutex mutex;
  std::map<uintptr_t, Block> blocks;  // by begin
  size_t in_use = 0;
  uint32_t count = 0;  // allocations so far
};
Pool& pool() {
  static Pool the_pool;
  return the_pool;
}

size_t round_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

void fill_zones(const Block& block) {
  fill_zone(block.pages, block.begin, block.word);
  fill_zone(block.end(), block.pages_end(), block.word);
}

// The block that contains `address`, guards included, or null.
const Block* near(const Pool& all, uintptr_t address) {
  auto after = all.blocks.upper_bound(address + guard + page);
  while (after != all.blocks.begin()) {
    const Block& block = (--after)->second;
    if (address >= reinterpret_cast<uintptr_t>(block.pages_end()) + guard) return nullptr;
    if (address + guard >= reinterpret_cast<uintptr_t>(block.pages)) return &block;
  }
  return nullptr;
}

const Block* around(const Pool& all, const void* pointer) {
  const Block* block = near(all, reinterpret_cast<uintptr_t>(pointer));
  const char* at = static_cast<const char*>(pointer);
  return block != nullptr && at >= block->begin && at < block->end() ? block : nullptr;
}

void set_closed(Space space, bool closed) {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  for (auto& [address, block] : all.blocks) {
    if (block.space != space) continue;
    block.closed = closed;
    mprotect(block.pages, block.page_bytes, closed ? PROT_NONE : PROT_READ | PROT_WRITE);
  }
}

}  // namespace

void* allocate(size_t bytes, Space space) {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  if (bytes == 0 || bytes > capacity - all.in_use) return nullptr;
  const size_t page_bytes = round_up(round_up(bytes, alignment), page);
  void* mapped = mmap(nullptr, page_bytes + 2 * guard, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  char* pages = static_cast<char*>(mapped) + guard;
  if (mprotect(pages, page_bytes, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapped, page_bytes + 2 * guard);
    return nullptr;
  }
  char* begin = pages + page_bytes -
                round_up(bytes, alignment);  // the end is as near to the guard as alignment allows
  const Block block{begin, bytes, pages, page_bytes, zone_word(++all.count), space};
  std::memset(begin, poison, bytes);
  fill_zones(block);
  all.blocks.emplace(reinterpret_cast<uintptr_t>(begin), block);
  all.in_use += bytes;
  return begin;
}

bool release(void* pointer) {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  const auto found = all.blocks.find(reinterpret_cast<uintptr_t>(pointer));
  if (found == all.blocks.end()) return false;
  all.in_use -= found->second.bytes;
  munmap(found->second.pages - guard, found->second.page_bytes + 2 * guard);
  all.blocks.erase(found);
  return true;
}

size_t bytes_in_use() {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  return all.in_use;
}

Space space_of(const void* pointer) {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  const Block* block = around(all, pointer);
  return block == nullptr ? 0 : block->space;
}

void close(Space space) { set_closed(space, true); }
void open(Space space) { set_closed(space, false); }

bool contains(const void* pointer, size_t bytes) {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  const Block* block = near(all, reinterpret_cast<uintptr_t>(pointer));
  if (block == nullptr) return false;
  const char* at = static_cast<const char*>(pointer);
  return at >= block->begin && at <= block->end() &&
         bytes <= static_cast<size_t>(block->end() - at);
}

std::string describe(const void* pointer) {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  const Block* block = near(all, reinterpret_cast<uintptr_t>(pointer));
  if (block == nullptr) return "";
  const std::string of =
      " an allocation of " + std::to_string(block->bytes) + " bytes" +
      (block->closed ? " of another device, which this one has no access to" : "");
  const char* at = static_cast<const char*>(pointer);
  if (at < block->begin) return std::to_string(block->begin - at) + " bytes before" + of;
  if (at >= block->end()) return std::to_string(at - block->end()) + " bytes after the end of" + of;
  return "byte " + std::to_string(at - block->begin) + " of" + of;
}

std::vector<std::string> damages() {
  Pool& all = pool();
  const std::lock_guard lock(all.mutex);
  std::vector<std::string> found;
  for (const auto& [address, block] : all.blocks) {
    if (block.closed) continue;
    const char* place = damage_in_zone(block.pages, block.begin, block.word);
    if (place == nullptr) place = damage_in_zone(block.end(), block.pages_end(), block.word);
    if (place == nullptr) continue;
    found.push_back("a write landed " + describe(place));
    fill_zones(block);
  }
  return found;
}

}  // namespace stencilc::check::device_memory
