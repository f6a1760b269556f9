// Who starts the processes of a run.
#pragma once

namespace stencilc::driver {

// Who has started the processes of a run, of which this one is one.
enum class Launcher {
  none,         // it is alone
  mpi,          // mpirun, with an MPI for which mpicxx compiles
  environment,  // torchrun, Slurm, or whatever sets RANK, WORLD_SIZE and MASTER_ADDR
};

}  // namespace stencilc::driver
