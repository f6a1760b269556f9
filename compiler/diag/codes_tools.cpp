#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> tool_rows() {
  static constexpr Row rows[] = {
      {bad_schedule, "bad-schedule", Severity::error,
       R"(The schedule does not exist, or it does not fit the stencil or the device; the message
says why. The schedule decides how the stencil is computed, never what. It stands behind `--schedule`,
or in the text: then the message is about the part of the block at which the problem begins. A block
is checked for each architecture that it names, whatever is compiled for; and what one output is for,
has one schedule.)",
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
       R"(An architecture is written as `sm_80`, `sm_90` and so on, as nvcc knows them from sm_75 on, or
`native` for the GPUs of this machine, which `nvidia-smi` names. Several stand behind commas: what is
made runs on all of them. A `schedule for` in the text names architectures, too, or `cpu`.)",
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
       R"(A command that runs or shows one stencil was given a file with several, or the name of one
that the file does not hold. Choose one by `--stencil NAME`.)",
       "", ""},
      {bad_tuning, "bad-tuning", Severity::error,
       R"(The tune file, which `--tune` names or which lies beside the program as `NAME.tune.json`, is
not what `stencilc tune` writes: it is damaged, or of another version. Tune again, or compile with
`--no-tune`.)",
       "", ""},
      {cannot_read, "cannot-read", Severity::error,
       R"(The file does not exist, is a directory, or may not be read. `-` reads the standard
input.)",
       "", ""},
      {cannot_write, "cannot-write", Severity::error,
       R"(The output could not be written. It is written to a temporary file in the same
directory and renamed, so a file of that name is as it was before.)",
       "", ""},
      {bad_input_data, "bad-input-data", Severity::error,
       R"(The image or array does not fit the field: another number of axes, another size,
another element type, or a damaged file.)",
       "", ""},
      {build_failed, "build-failed", Severity::error,
       R"(The compiler of the emitted text (nvcc, or the host compiler for the CPU target)
reported errors. The notes hold the first lines of its output.)",
       "", ""},
      {tool_missing, "tool-missing", Severity::error,
       R"(This work needs a program that is not installed or not in the search path: nvcc to
build CUDA kernels, LLVM/Clang to judge and run them without a device.)",
       "", ""},
      {run_failed, "run-failed", Severity::error,
       R"(The kernel was built and its run failed; the message holds the status of the runtime
and its remedy.)",
       "", ""},
      {check_failed, "check-failed", Severity::error,
       R"(The emitted text was rejected by Clang, is not formatted as Clang would do it, or
computes other bits than the interpreter. This is an error of the compiler, not of the stencil:
please report it with the .stn file.)",
       "", ""},
      {unused_name, "unused-name", Severity::warning,
       R"(The name is declared and never used. Often another name was meant somewhere;
otherwise remove the declaration.)",
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
       R"(The tune file holds a schedule for this stencil that cannot be used, and the compiler chooses
one itself: the stencil computes something else since it was tuned, with `-D`, `--fp` and `--no-fma`
as well, or the GPUs that the output is for cannot run the schedule. Tune again, or compile with
`--no-tune`.)",
       "", ""},
      {not_finite, "not-finite", Severity::warning,
       R"(After the last step of `stencilc run` some cells of a field are NaN or infinite, and the step
at which the first of them was so is the one to look at; steps are counted from 1. To find it, the
run is repeated from its inputs, for 10 seconds at most, or as long as the steps took. Usually a step in time
is too long, a quotient has a divisor of 0, or a type is too small for the values. Where the inputs
are not finite, the notes say which. `--fail-on-nan` makes this an error.)",
       "", ""},
      {nesting_limit, "nesting-limit", Severity::error,
       R"(Brackets, prefix operators, `^` and `?:` stand inside each other more than 256 levels
deep: name parts of the expression by `let`. Or functions call each other more than 64 levels deep,
or `let`s and functions build on each other more than 2,000 levels deep.)",
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
       R"(The input or what would be made from it is larger than the compiler accepts: files of
64 MiB, expressions of 10,000 terms, 10,000 reads for each update. Such programs are generated
ones; name parts of the expressions by `let`.)",
       "", ""},
  };
  return rows;
}

}  // namespace stencilc::diag
