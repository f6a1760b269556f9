// Planes in shared memory as a source of what threads read. A block that streams along the third
// axis asks for them ahead, one for each stage of its stream; where there is no third axis, one
// plane, the tile, holds all cells that the block reads.
#pragma once

#include <map>
#include <optional>

#include "kernel/module.h"
#include "kernel/ring.h"
#include "lower/context/build.h"
#include "lower/tile/register_tile.h"
#include "lower/tile/thread_mapping.h"

namespace stencilc::lower {

// Which planes a launch reads, as offsets along the streamed axis from the cell in work. Of a tile:
// 0.
struct RingShape {
  int newest = 0;  // that of a stage
  int early = 0;   // stages that come before the first cell's
  int back = 0;    // stages before the newest one that are read again
  bool operator==(const RingShape&) const = default;
};

class Ring {
 public:
  // Of the fields that cells read beside themselves. None where the schedule has no ring, or where
  // the launch can have none: `why` says the reason.
  static std::optional<Ring> of(const Context& context, const plan::Schedule& schedule,
                                const Patch& patch, std::string& why);

  const RingShape& shape() const { return shape_; }
  bool is_tile() const { return tile_; }
  // What of the planes is read around the block: boxes do not have the caller's halo.
  ir::Reach reach() const;
  // How many stages before the newest one hold a plane of the field; -1: none does.
  int back(int field, int level, int along) const;

  // Declares the ring, and how many planes of cells the block computes; the launch gets what it
  // needs for that.
  void declare(const Context& context, const ThreadMapping& mapping, kernel::Launch& launch,
               kernel::Body& body);
  // What fills it, inside or (`edges`) near the boundary, too, by the functions of fields and
  // levels.
  void declare_source(const Context& context,
                      const std::map<std::pair<int, int>, std::string>& cells, bool edges,
                      const kernel::ExprPtr& edge, Names& names, kernel::Body& body) const;
  kernel::ExprPtr n() const { return kernel::var(ring_->n); }  // of the stage in work
  kernel::Stage stage(bool edges, const kernel::ExprPtr& edge) const;

  // A plane that is there, and where its cell lies that is so far from the cell in work: of a
  // stream the one so many stages before, which the stage then names; of a tile as seen by the
  // thread's k-th cell (null: its only one).
  struct Place {
    kernel::Buffer plane;
    kernel::ExprPtr row, column;
  };
  Place place(int field, int level, const ir::Offset& offset, int back, const kernel::ExprPtr& k,
              kernel::Stage& stage) const;
  // Loads a run from there.
  void load(const RegisterTile& regs, const Run& run, int back, const kernel::ExprPtr& k,
            kernel::Stage& stage, const Names& names, kernel::Body& body) const;

  const kernel::ExprPtr& planes() const { return planes_; }
  bool of_boxes() const { return ring_->kind == kernel::Ring::boxes; }
  // Do cells near the ends of the streamed axis compute what all others do, from planes that boxes
  // bring for those beyond the ends?
  bool maps_ends(const Context& context) const;
  kernel::ExprPtr mapped() const { return ring_->mapped; }  // null: of other kinds
  // Has the end of a stage something to say, inside or (`edges`) near the boundary, too?
  bool ends_stages(bool edges) const { return ring_->producers > 0 || (edges && of_boxes()); }

 private:
  struct Field {
    int field = 0, level = 0;
    ir::Reach reach;
    int width = 0, height = 0;  // cells of a plane
  };
  int gap_of(const Context& context) const;
  int values(int cells) const;
  kernel::ExprPtr by_vectors(const kernel::ExprPtr& column, int vectors) const;
  void lay_out(const Context& context);
  void declare_places(const Context& context, kernel::Body& body);
  void add_grid(const Context& context, const ThreadMapping& mapping, const Field& field);

  const plan::Schedule* schedule_ = nullptr;
  Patch patch_;
  bool tile_ = false;
  RingShape shape_;
  std::vector<Field> fields_;
  int left_ = 0, below_ = 0;  // cells of a plane before the block's first one, along x and y
  int gap_ = 0;               // cells that rows of the planes leave out after each vector
  kernel::Count stride_ = 1;  // from one vector to the next
  std::shared_ptr<kernel::Ring> ring_;
  kernel::ExprPtr planes_, row_, column_;
};

}  // namespace stencilc::lower
