// Planes of grids that come into shared memory while earlier ones are in use.
//
// A block streams along the last axis. Stage n of a ring is one plane of each of its grids; it lies
// in slot n % depth, is prefetched when stage n - ahead begins, and is there until stage
// n + depth - ahead begins. Its cells are loaded by the threads of the block (loads), or copied
// while they go on: by many small copies (async), or as whole boxes that one thread requests. What
// of a box lies outside the grid comes from the grid's boundary, cell by cell and one
// stage ahead; in the other kinds planes that reach beyond it come cell by cell.
//
// A tile is a ring of one slot: one plane of each grid holds all that a block reads, and the
// Source, after which it is there, is all there is to say about it.
#pragma once

#include <optional>

#include "kernel/kernel.h"

namespace stencilc::kernel {

struct Ring {
  enum Kind : uint8_t { loads, async, boxes } kind = boxes;
  struct Grid {
    Buffer planes;  // one of them: `rows` rows of `registers` values
    // Behind each vector of so many cells of a row 16 bytes are left out, so that lanes with a
    // vector each meet in no bank; 0: all values are cells.
    Count spread;
    std::string map;  // of the kernel; for boxes
    Buffer memory;    // for other kinds, with the strides of its rows and planes, if it has any
    ExprPtr pitch, stride;
    Count copied;                    // by async: cells at once; 0: they are too narrow, and loaded
    std::vector<ExprPtr> at;         // the cell that the first value of stage 0 stands for
    std::string cell;                // the Local that gives a cell wherever it lies
    std::string ghosts;              // the name of the cells outside the grid
    std::vector<std::string> names;  // of the planes in use, the newest one first
    // Of the place along the last axis that is stage n; of a tile: of the function of a row and a
    // column that calls `cell`.
    std::string plane;
    // What stands for a cell beyond the ends along x and y: another cell of the plane, by a Local
    // of its row and column there that gives the other's place, or (below 0) tells that `ghost`
    // does. Empty: the Local `cell` is asked.
    std::string from;
    ExprPtr ghost;
    // The plane whose box stands for one beyond an end of the last axis: by its index map. Else all
    // cells of such a plane come one by one, or (`zeros`) all that lies beyond any end is zero, as
    // in boxes.
    std::optional<Fn> map_along;
    bool zeros = false;
    int reach[2] = {0, 0};  // along x and y: how many cells outside the grid are read
  };
  std::vector<Grid> grids;
  Count cells(const Grid& grid) const;  // of a row
  Count depth = 2, ahead = 1;
  // Of the barriers, the issuing thread, and the functions; of a stage, in these and in the stream.
  std::string ready, leads, fetch, load_ghosts, store_ghosts, n;
  Count threads = 1;  // that fill it
  // Threads after those that compute, which alone fill it, so that no stage begins with a barrier
  // of the block: a stage is there when the phase of its barrier `ready` is over, or where cells
  // outside the grid are added to it that of `whole`; a slot is free when each of so many computing
  // warps has arrived at its barrier `freed`. 0: there are none, and the threads that compute fill.
  Count producers, first_producer, warps;
  std::string fills, whole, freed, next;
  // The block's own cells in a plane, where warps share out what is loaded by whether it lies
  // beside them along x, along y, or is theirs.
  struct Own {
    Count column, row, columns, rows;
  };
  std::optional<Own> own;
  ExprPtr stages;  // how many there are; null: a tile's one
  ExprPtr mapped;  // can boxes be copied? Otherwise all cells come one by one
  std::vector<ExprPtr> extents;
  // The coordinate along the last axis where memory begins, and how many are in it; null: all are.
  ExprPtr origin, planes;

  bool is_tile() const { return depth == 1; }
  int back() const { return depth - ahead - 1; }  // stages before the one in work that are there
  bool loads_ghosts() const;                      // does any cell come by `cell`?
  bool writes_ghosts() const;                     // do threads write into what a box brought?
  int bytes() const;                              // of shared memory
  int place(int grid) const;                      // of the grid's first plane in it
  int plane_bytes(int grid) const;                // from one plane to the next
};

}  // namespace stencilc::kernel
