// What a file of emitted code holds: the kernel of a step, and what the host must know to run it.
#pragma once

#include <string>
#include <vector>

#include "kernel/kernel.h"

namespace stencilc::kernel {

// Planes of a grid (rows in 2-D) in front of a window and behind it.
struct Planes {
  int low = 0, high = 0;
};

// A grid the caller passes: in the order of declaration. Names are C++ names already.
struct Grid {
  std::string name;
  Type element = Type::f32;
  // in_place: one buffer, read and written.
  enum Role : uint8_t { stepped, input, output, in_place } role = input;
  // stepped: the caller gives levels t, t-1, ... (`levels` of them); the run rotates `buffers`, the
  // newest level first. Names of the levels: level_names[0] is t, [1] is t-1.
  int levels = 1;
  int buffers = 1;
  // Of the buffers, the last ones that a single step leaves alone: a launch of several steps stores
  // as many levels as it reads.
  int spare = 0;
  std::vector<std::string> level_names;
  std::string textures;   // of those over its buffers, where kernels fetch from it; else empty
  std::vector<int> axes;  // those it has, x being 0
  std::string pitch;      // its own, where it has two axes of three; else empty
  // Cells beyond each end of the axes it has that kernels read from its memory, where a side is the
  // caller's; empty: none.
  std::vector<int> halo;
  bool used = true;  // does a kernel touch any of its buffers? Set by lower, as for params
  // Of a program for pieces of a grid: the planes beside a window that a step reads of its levels,
  // those that it reads of all but the newest, and whether steps change them.
  Planes beside, before;
  bool changes = false;
};

// A value that the launches of one step keep in memory, or one before the first step. It has the
// shape of the grids; its ghost cells, so many at each end of each axis, lie apart.
struct Temporary {
  std::string name;
  Type type = Type::f32;
  std::vector<int> ghosts;  // by axis; empty: none
};

struct ScalarParam {
  std::string name;
  Type type = Type::f32;
  bool has_default = false;
  double real = 0;
  int64_t integer = 0;
  bool used = true;
};

struct Weights {  // run-time weights: `count` values on the host, passed to kernels by value
  std::string name;
  Type type = Type::f32;
  int count = 0;
  bool used = true;
  // Kernels have the values of each of so many columns side by side, and not those of a row; 0: as
  // they are given.
  int columns = 0;
  // Of rows of so many values each, which begin `pitch` apart in kernels.
  int row = 0, pitch = 0;
  int held() const { return count / row * pitch; }  // values that kernels have
};
struct Table {  // numbers that kernels take like weights
  std::string name;
  Type type = Type::f32;
  std::vector<double> values;
  bool used = true;
};

struct Reduction {
  std::string name;      // of the result: where the caller wants it, and in kernels its memory
  std::string partials;  // of the reduction's memory, and in kernels of the rows' results
  std::string value;     // of the host's variable
  Type type = Type::f32;
  Fold fold = Fold::sum;
  bool root = false;        // the result is the square root of the fold: norm2
  bool every_step = false;  // before the updates of each step, which read it in memory
};

// A list of points the caller passes, and what it becomes for values of one type: an entry for each
// cell that a point belongs to, in order.
struct Points {
  std::string name;
  bool linear = false;
  std::string count;  // of the variable that holds their number
};
struct Places {
  std::string name;
  int points = 0;
  Type type = Type::f32;  // of the weights
  bool chained = false;   // are entries of one cell linked? For injections
  bool sorted = false;    // or sorted by their cells? For launches of several steps
};
// Values of a sample at each entry of its points, which a launch of so many steps stores for each.
struct Sampled {
  std::string name;
  int places = 0;
  Type type = Type::f32;
  int steps = 1;
};
struct Series {
  std::string name;
  std::string steps;  // of the variable that says how many steps it holds
  Type type = Type::f32;
  int points = 0;
  bool output = false;
  bool used = false;  // does a kernel touch its values?
};

// An argument of a kernel: which buffer of which grid it is, or which reduction's memory.
struct BufferArg {
  // cell, chain, weight: arrays of Places; series: the values of the step. Slot of cell: the axis;
  // of chain: 0 the next entry of the cell, 1 is the entry its first? entries: sorted ones;
  // sampled: the n-th Sampled. temporary, ghosts: the cells of the n-th Temporary, and its ghost
  // cells.
  enum Kind : uint8_t {
    grid,
    partials,
    result,
    weights,
    table,
    cell,
    chain,
    weight,
    series,
    entries,
    sampled,
    temporary,
    ghosts
  } kind = grid;
  int index = 0;
  // stepped: the place in the rotating array before the step; the last one receives t+1.
  int slot = 0;
};

// One launch of a step.
struct Launch {
  Kernel kernel;
  std::vector<BufferArg> buffer_args;  // in the order of kernel.buffers
  // In the order of kernel.maps: the grid, its buffer as in BufferArg, and the array of the host
  // that holds the maps of all its buffers.
  struct MapArg {
    std::string maps;
    int grid = 0, slot = 0;
  };
  std::vector<MapArg> map_args;
  // with_reductions: only when the step's reductions are wanted; without_reductions: only when
  // not.
  enum When : uint8_t { always, with_reductions, without_reductions } when = always;
  std::vector<int> folds;     // the reductions whose partials it fills
  int least[3] = {1, 1, 1};   // of several steps: the extents from which on they can be taken
  int most = 0;               // and the one along x up to which they can; 0: there is none
  int64_t least_cells = 1;    // of several steps: with fewer, steps are taken one by one
  bool after_a_step = false;  // of several steps: the first one of a run is taken alone
  int places = -1;            // a thread for each entry of these, not for cells
  bool per_point = false;     // or for each of their points
  bool injects = false;       // into the cells of these
  bool after_steps = false;   // after each launch of several steps, and no other
  // A thread for each ghost cell of these temporaries, which have a row of blocks each.
  std::vector<int> ghosts_of;
  // The arguments that say which cells it computes along an axis, from one to before the other;
  // empty: all of the grid's.
  struct Cut {
    std::string first, end;
  };
  Cut cuts[3];
  // The argument that says how many rows of blocks come before the others of a plane, for cells
  // that lie so near to the ends of x and y, of both ends together; empty: there are none.
  std::string edge_rows;
  int beside[2] = {0, 0};
  bool is_cut() const {
    return !cuts[0].first.empty() || !cuts[1].first.empty() || !cuts[2].first.empty();
  }
  // Of a program for pieces of a grid: the planes beside a window that it computes, too, for later
  // launches of the step, and for each later colour.
  Planes beside_window, for_color;
  bool before_steps = false;  // once in a run, before its first step
  int stage = -1;             // of those launches of a step that store cells, which it is; -1: none
  std::string no_loops;       // why its taps are no loops, though the schedule requests them
  std::string no_planes;  // why it keeps none in shared memory, though the schedule requests them
  std::string checked;    // why the ends of its stream are not peeled, though requested
  std::string loaded;     // what it loads and does not fetch by textures, though requested
};

struct Module {
  std::string name;                  // namespace and prefix of the C entry, a C++ name
  std::string file;                  // stem of the output: "laplace"
  std::string header;                // name of the header: "laplace.h"
  std::string source;                // name of the .stn for the header block and #line
  std::vector<std::string> story;    // the lines of the header block
  std::vector<std::string> extents;  // nx, ny, nz
  std::vector<std::string> strides;  // pitch, plane: one less than the extents
  std::vector<Grid> grids;
  // That the memory of each grid on all axes holds, because they share strides: the widest; empty:
  // none.
  std::vector<int> halo;
  std::vector<ScalarParam> params;
  std::vector<Weights> weights;
  std::vector<Table> tables;
  std::vector<Reduction> reductions;
  std::vector<Temporary> temporaries;
  // The arguments by which a caller gives memory for temporaries, and what is left of it; empty: no
  // value of the program can be kept in memory, whatever the schedule.
  std::string workspace, workspace_bytes, workspace_left;
  // Where a run is made in pieces between two looks at a condition: whether launches before the
  // first step are due; else empty.
  std::string sets_up;
  std::vector<Points> points;
  std::vector<Places> places;
  std::vector<Series> series;
  std::vector<Sampled> sampled;
  std::vector<Launch> launches;  // of one step, in order
  // What the host computes of params before the launches, for kernels that take it as an argument.
  std::vector<Let> launch_values;
  bool steps = true;    // false: one pass computes the outputs
  std::string why_one;  // why no launch takes several, though the schedule requests that
  bool time = false;    // `t`, the number of the step, is a value
  // Wide accesses move so many cells; `aligned` names the variable that tells whether all buffers
  // allow them.
  int vector = 1;
  std::string aligned;
  std::string mapped;      // whether boxes of all grids that kernels ask for can be copied
  std::string boxes, box;  // the list of boxes that launches compute one by one, and one of them
  // Of a program for pieces of a grid: a call takes some steps of a piece. The names of its
  // arguments; `name` of their variable. Empty: a call takes those of the whole grid.
  struct Window {
    std::string name;
    std::string first, end;       // the planes whose cells the call computes
    std::string taken;            // how many steps of the run came before
    std::string leg, mesh, part;  // the function, and names in a run on a mesh
    // Where memory is taken for a grid of its own: the window as it is given, and the shape of the
    // grid; empty: coordinates are those of the grid.
    std::string given_window, grid;
    std::vector<std::string> partials;  // of each reduction: what the piece adds to it
    int steps = 1;                      // of a launch, as the schedule says
    Planes step;         // for each step that follows, a launch computes so many planes more
    bool wraps = false;  // is the axis that is cut periodic?
    bool given() const { return !name.empty(); }
  } window;
  // What memory holds of the grid, its shape, and its first plane and their number in kernels;
  // empty: all of it.
  std::string piece, held, origin, planes;
  int colors = 0;  // the launches run for each colour, given to them as `color`
  // In a coloured stencil: extents that a periodic boundary asks to be multiples of so many cells.
  std::vector<int> multiples;
  struct Iterate {
    bool given = false;
    int64_t limit = 0, every = 1;
    Body before;    // what `until` is made of
    ExprPtr until;  // of reductions and params, for the host; null: `limit` steps
  } iterate;
};

}  // namespace stencilc::kernel
