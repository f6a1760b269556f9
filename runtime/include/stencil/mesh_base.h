// What the meshes of all targets have: the pieces of this process, and what a caller sets.
#pragma once

#include <cstdint>
#include <vector>

#include "mesh_handle.h"
#include "mesh_share.h"

namespace stencil {

// `Mesh` is that of the target, which derives from this.
template <typename Mesh>
class BasicMesh : public stencil_mesh {
 public:
  int pieces() const { return share_.pieces(); }
  const MeshShare& share() const { return share_; }
  MeshShare& share() { return share_; }
  const Status& status() const {
    return status_.ok() && share_.communicator() != nullptr ? share_.communicator()->status()
                                                            : status_;
  }
  const char* target() const override { return Mesh::kTarget; }
  stencil_mesh* handle() { return this; }

  // Where grids are cut, instead of evenly: the first plane of each piece, and the end.
  Mesh& cut_at(const int64_t* cuts) {
    cuts_.assign(cuts, cuts + pieces() + 1);
    return self();
  }
  const std::vector<int64_t>& cuts() const { return cuts_; }
  // The most steps between exchanges; 0: those of a launch.
  Mesh& legs_of(int64_t steps) {
    steps_ = steps;
    return self();
  }
  int64_t steps() const { return steps_; }
  // For tests: what no piece may rely on becomes all ones.
  Mesh& forgetful(bool forgets) {
    forgets_ = forgets;
    return self();
  }
  bool forgets() const { return forgets_; }

 protected:
  explicit BasicMesh(int pieces) : share_(pieces) {}
  BasicMesh(Communicator& processes, int here) : share_(processes, here, &status_) {}

  Mesh& self() { return static_cast<Mesh&>(*this); }

  mutable Status status_;  // before the share, which reports to it; waiting may find a failure
  MeshShare share_;

 private:
  std::vector<int64_t> cuts_;
  int64_t steps_ = 0;
  bool forgets_ = false;
};

}  // namespace stencil
