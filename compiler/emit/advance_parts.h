// The host's function that takes all steps of a call: what stands before the loop.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "emit/host.h"
#include "kernel/module.h"

namespace stencilc::emit {

class AdvanceParts {
 public:
  AdvanceParts(Writer& out, const kernel::Module& module, Dialect dialect)
      : out_(out), module_(module), cuda_(dialect == Dialect::cuda) {}

 protected:
  int rank() const { return static_cast<int>(module_.extents.size()); }
  Dialect dialect() const { return cuda_ ? Dialect::cuda : Dialect::cpu; }
  bool once(const std::string& name) { return declared_.insert(name).second; }

  // Declares an extent or a distance, if a kernel is told it.
  void index_value(const std::string& name, const std::string& value);
  void launch_values();
  void alignment();
  void piece();
  std::string shape_of_memory() const;
  void maps();
  void textures();
  void shared();
  void sampled();
  void launch_shapes();
  void ghost_blocks(const kernel::Launch& launch);
  void boxes();
  // Which planes around the window of a call a launch computes: all, those of the window, others.
  enum class Planes : uint8_t { all, window, others };
  // `left`: the steps after the launch, or "0"; `which`: of a window.
  void begin_box(const kernel::Launch& launch, const std::string& left, Planes which);
  std::string grown(const kernel::Launch& launch, const std::string& left, Planes which) const;
  std::string box_shape(const kernel::Kernel& kernel) const;
  void partition(const kernel::Kernel& kernel, const std::string& planes);
  std::string between_borders(const std::string& planes) const;
  std::vector<std::string> with_borders(std::vector<std::string> items) const;
  void columns(const kernel::Kernel& kernel, const std::string& streamed);
  std::string of_rows(const kernel::Kernel::Partition& partition, const std::string& filled,
                      const std::string& ragged) const;
  void launch_shape(const kernel::Launch& launch, const std::string& suffix);
  static std::vector<int> shape_of(const kernel::Launch& launch);
  // The variable with the blocks of a launch.
  std::string blocks_of(const kernel::Launch& one) const;

  Writer& out_;
  const kernel::Module& module_;
  const bool cuda_;
  std::set<std::string> declared_;
  struct Maps {
    int grid = 0;
    kernel::Kernel::Map map;
  };
  std::map<std::string, Maps> maps_;                 // by the name of the array
  std::map<std::string, std::string> ghost_blocks_;  // by kernel: what their number is called
  std::map<std::vector<int>, std::string> shapes_;   // and what their names end in
};

}  // namespace stencilc::emit
