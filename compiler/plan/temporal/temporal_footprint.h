// Counts the registers that a lane needs per time step, and what it takes from other lanes, in a
// launch of several steps.
#pragma once

#include <map>
#include <set>

#include "plan/analysis/reads.h"
#include "plan/schedule/launch.h"
#include "plan/temporal/temporal_blocking.h"

namespace stencilc::plan {

// Per time step and vector of cells; a register holds four bytes.
struct TemporalFootprint {
  double carried = 0;  // registers of rows that later rows are combined with, or of unfinished sums
  double moved = 0;    // of these, registers that are copied when a row arrives
  double taken = 0;    // registers that come from other lanes when a row arrives
  double own = 0;      // registers of one row of all fields
  bool adds = false;   // rows are only added to sums as they arrive, and nothing else is kept
  int inputs = 0;      // cells of input fields that a cell reads
  int input_bytes = 0;  // of these
  // For cells that are packed into bits: word operations, without those that come from other lanes;
  // the fields and their bits.
  int logic = 0, fields = 0, bits = 0;
};

// What a launch reads, whatever its shape: rows or planes along the last axis.
struct TemporalReads {
  struct Rows {
    int low = 0, left = 0, right = 0;
    void add(const ir::Read& read, int axis);
    void add(const Rows& other);
  };
  // Of sums of rows: the rows of each field at level t, and the number of fields of all levels.
  Rows of_sums;
  std::map<int, Rows> summed;
  std::set<int> arriving;
  int high = 0;              // the last row of these sums
  double registers = 0;      // for these sums
  bool adds = false;         // there is one, and rows can be added to all of them as they arrive
  std::map<int, Rows> read;  // other reads at level t of fields that a step updates
  int inputs = 0, input_bytes = 0;
};
TemporalReads temporal_reads(const ir::Stencil& stencil, const Launch& launch);

class Survey;  // survey.h
TemporalFootprint temporal_footprint(Survey& survey, const Launch& launch, const Schedule& schedule,
                                     const Temporal& temporal);

// Per thread, cell and step, without exchanges between lanes; one f64 instruction counts as
// `of_double`.
double instructions(const Reads& reads, const TemporalFootprint& use, double of_f64);
// For cells that are packed into bits, including all that a row needs, in a launch of this many
// steps.
double instructions_of_bits(const TemporalFootprint& use, int steps);

}  // namespace stencilc::plan
