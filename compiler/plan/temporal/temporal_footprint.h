// What a lane holds of each time step, and takes from others, in a launch of several steps.
#pragma once

#include <map>
#include <set>

#include "plan/analysis/reads.h"
#include "plan/schedule/launch.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// Of one time step and a vector of cells; registers hold four bytes.
struct TemporalFootprint {
  double carried = 0;   // registers of rows that later ones are read with, or of sums under way
  double moved = 0;     // of these, what is copied when a row arrives
  double taken = 0;     // registers that come from other lanes when a row arrives
  double own = 0;       // registers of a row of all fields
  bool adds = false;    // are rows added to sums as they arrive, and nothing else kept?
  int inputs = 0;       // cells of fields that no step makes, which a cell reads
  int input_bytes = 0;  // of these
  // Of cells held as bits: operations on words, but for those that come from other lanes; the
  // fields and their bits.
  int logic = 0, fields = 0, bits = 0;
};

// What a launch reads, whatever its shape: rows or planes along the last axis.
struct TemporalReads {
  struct Rows {
    int low = 0, left = 0, right = 0;
    void add(const ir::Read& read, int axis);
    void add(const Rows& other);
  };
  // Of sums of rows: the rows of all, those of each field that is stepped, at level t, and the
  // fields of all levels.
  Rows of_sums;
  std::map<int, Rows> summed;
  std::set<int> arriving;
  int high = 0;              // the last row of them
  double registers = 0;      // of the sums
  bool adds = false;         // is there any, and can all be added to as rows arrive?
  std::map<int, Rows> read;  // besides, of fields that are stepped, at level t
  int inputs = 0, input_bytes = 0;
};
TemporalReads temporal_reads(const ir::Stencil& stencil, const Launch& launch);

class Survey;  // survey.h
TemporalFootprint temporal_footprint(Survey& survey, const Launch& launch, const Schedule& schedule,
                                     const Temporal& temporal);

// Of a thread for a cell and a step, but for what lanes take from each other; one of f64 counts
// for so many.
double instructions(const Reads& reads, const TemporalFootprint& use, double of_f64);
// Of cells held as bits, and with all that a row takes besides, in a launch of so many steps.
double instructions_of_bits(const TemporalFootprint& use, int steps);

}  // namespace stencilc::plan
