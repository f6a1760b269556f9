#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> tool_rows() {
  static constexpr Row rows[] = {
      {bad_schedule, "bad-schedule", Severity::error,
       R"(The schedule does not exist, or it does not fit the stencil or the GPU; the message says
why. A schedule decides how the stencil is computed, and never changes the result. It is given by
`--schedule` or by a `schedule` block in the file; for a block, the message points at the first part
that does not work. A block is checked for each architecture that it names, even when compiling for
another one. One output file has one schedule, so all architectures of `--arch` need the same.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  schedule { naive, coarsen = x4 }
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  schedule { coarsened, coarsen = x4 }
}
)"},
      {bad_arch, "bad-arch", Severity::error,
       R"(An architecture is written as `sm_80`, `sm_90` and so on, as for nvcc, from sm_75 on. `native`
means the GPUs of this machine, as `nvidia-smi` lists them. Separate several with commas; the output
then runs on all of them. A `schedule for` block names architectures, or `cpu`.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  schedule for sm_91 { coarsened, coarsen = x4 }
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
  schedule for sm_90 { coarsened, coarsen = x4 }
}
)"},
      {bad_choice, "bad-choice", Severity::error,
       R"(The command needs one stencil, but the file holds several, or none of the name that was given.
Choose one with `--stencil NAME`.)",
       "", ""},
      {bad_tuning, "bad-tuning", Severity::error,
       R"(The tune file (the one that `--tune` names, or `NAME.tune.json` beside the program) is damaged,
or was written by another version of `stencilc tune`. Tune again, or compile with `--no-tune`.)",
       "", ""},
      {cannot_read, "cannot-read", Severity::error,
       R"(The file does not exist, is a directory, or you have no permission to read it. `-` reads
standard input.)",
       "", ""},
      {cannot_write, "cannot-write", Severity::error,
       R"(The output could not be written. The compiler writes to a temporary file in the same
directory and renames it, so an older file of that name is unchanged.)",
       "", ""},
      {bad_input_data, "bad-input-data", Severity::error,
       R"(The image or array does not fit the field: it has another number of axes, another size or
another element type, or the file is damaged.)",
       "", ""},
      {build_failed, "build-failed", Severity::error,
       R"(The compiler that builds the emitted code (nvcc, or the host compiler for the CPU target)
reported errors. The notes hold the first lines of its output.)",
       "", ""},
      {tool_missing, "tool-missing", Severity::error,
       R"(The command needs a program that is not installed or not on the PATH: nvcc to build CUDA
kernels, or LLVM/Clang to check them and to run them without a GPU.)",
       "", ""},
      {run_failed, "run-failed", Severity::error,
       R"(The kernel was built, but its run failed. The message holds the status of the runtime and
what to do about it.)",
       "", ""},
      {check_failed, "check-failed", Severity::error,
       R"(Clang rejects the emitted code or would format it differently, or its results differ from
those of the interpreter. This is a bug in the compiler, not in the stencil: please report it with the
.stn file.)",
       "", ""},
      {unused_name, "unused-name", Severity::warning,
       R"(The name is declared but never used. Perhaps another name was used by mistake; otherwise
remove the declaration.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  param f32 a;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * (u[x-1] + u[x+1]);
}
)"},
      {boundary_unused, "boundary-unused", Severity::warning,
       R"(No read of the field ever leaves the grid, so its boundary has no effect. Remove it,
or check the offsets.)",
       R"(stencil smooth {
  axes x;
  field f32 u boundary clamp;
  u[t+1] = 0.5 * u;
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u;
  u[t+1] = 0.5 * u;
}
)"},
      {unused_tuning, "unused-tuning", Severity::warning,
       R"(The tune file holds a schedule for this stencil that cannot be used, so the compiler chooses
one itself. Either the stencil has changed since it was tuned (also by `-D`, `--fp` or `--no-fma`), or
the GPUs that the output is for cannot run the schedule. Tune again, or compile with `--no-tune`.)",
       "", ""},
      {not_finite, "not-finite", Severity::warning,
       R"(After the last step of `stencilc run` some cells of a field are NaN or infinite. The message
names the first step after which this is so, counted from 1. To find it, the run is repeated from its
inputs, for at most 10 seconds or as long as the run itself took. Usually the time step is too large, a
divisor is 0, or a type is too small for the values. If an input is not finite, a note says which one.
`--fail-on-nan` makes this an error.)",
       "", ""},
      {nesting_limit, "nesting-limit", Severity::error,
       R"(Brackets, prefix operators, `^` and `?:` are nested more than 256 levels deep: name parts of
the expression with `let`. Or functions call each other more than 64 levels deep, or `let`s and
functions use each other more than 2,000 levels deep.)",
       R"(stencil smooth {
  axes x;
  field f32 u;
  u[t+1] = 0.5 * ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((u))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
}
)",
       R"(stencil smooth {
  axes x;
  field f32 u;
  u[t+1] = 0.5 * ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((u))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))));
}
)"},
      {size_limit, "size-limit", Severity::error,
       R"(The input, or the code for it, is larger than the compiler accepts. The limits are files of
64 MiB, expressions of 10,000 terms, and 10,000 reads for each update. Usually such a program is
generated; name parts of its expressions with `let`.)",
       "", ""},
  };
  return rows;
}

}  // namespace stencilc::diag
