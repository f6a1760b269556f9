#include "diag/codes_rows.h"

namespace stencilc::diag {

std::span<const Row> tool_rows() {
  static constexpr Row rows[] = {
      {bad_schedule, "bad-schedule", Severity::error,
       R"(A part of the schedule does not exist, or the schedule does not fit the stencil or the GPU;
the message says why. A schedule decides how the stencil is computed, and never changes the result. It
is given by `--schedule` or by a `schedule` block in the file. In a block, the message points at the
first part that does not work. The compiler checks a block for each architecture that the block names,
even when it compiles for another one. An output file has one schedule, so the same one must apply to
all architectures of `--arch`.)",
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
       R"(The GPU architecture is unknown, or the command cannot use it. Architectures have the names
that nvcc uses: `sm_75`, `sm_80`, `sm_90` and so on; `sm_75` is the oldest. `native` means the GPUs of
this machine, as `nvidia-smi` lists them. Separate several architectures with commas; the output then
runs on all of them. A `schedule for` block names architectures, or `cpu`.)",
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
       R"(The command works on one stencil, but the file holds several, or none has the given name.
Choose one with `--stencil NAME`.)",
       "", ""},
      {bad_tuning, "bad-tuning", Severity::error,
       R"(The tune file cannot be used: it is damaged, or another version of `stencilc tune` wrote it. It
is the file that `--tune` names, or `NAME.tune.json` in the folder of the program. Tune again, or
compile with `--no-tune`.)",
       "", ""},
      {one_piece, "one-piece", Severity::error,
       R"(`--distributed` and `verify --pieces` cut a grid along its last axis. Beyond the ends of that axis a
piece has either planes of the other end, where a field is periodic, or those of a `ghost` side, but not
both. And reductions add the cells of a row in groups, which the pieces of a grid with one axis would cut.
Compile such a stencil without `--distributed`, give the grid a second axis, or name the axes in another
order.)",
       "", ""},
      {cannot_read, "cannot-read", Severity::error,
       R"(The file does not exist, is a directory, or you have no permission to read it. The name `-`
stands for standard input.)",
       "", ""},
      {cannot_write, "cannot-write", Severity::error,
       R"(The output could not be written. If there was a file of that name, it is unchanged, because
the compiler first writes a temporary file in the same directory and then renames it.)",
       "", ""},
      {bad_input_data, "bad-input-data", Severity::error,
       R"(An input, an output or the size of a run does not fit the stencil. For example, an image or
array is damaged, has another number of axes or another size than the field, or holds values that the
type of the field cannot hold. The message says what does not fit.)",
       "", ""},
      {build_failed, "build-failed", Severity::error,
       R"(The compiler that builds the emitted code (nvcc, or the host compiler for the CPU target)
reported errors. The notes show the first lines of its output.)",
       "", ""},
      {tool_missing, "tool-missing", Severity::error,
       R"(The command needs a program that is not installed or not on the PATH: nvcc to build CUDA
kernels, or LLVM/Clang to check them and to run them without a GPU.)",
       "", ""},
      {run_failed, "run-failed", Severity::error,
       R"(The emitted code was built, but a run of it failed. The message says what the runtime
reported and what to do about it.)",
       "", ""},
      {check_failed, "check-failed", Severity::error,
       R"(Clang rejects the emitted code or would format it differently, or the results of the emitted
code differ from those of the interpreter. This is a bug in the compiler, not in the stencil: please
report it with the .stn file.)",
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
       R"(The tune file holds a schedule for this stencil, but it cannot be used, so the compiler
chooses a schedule itself. Either the stencil has changed since it was tuned (`-D`, `--fp` and `--no-fma`
change it, too), or the GPUs that the output is for cannot run the schedule. Tune again, or compile with
`--no-tune`.)",
       "", ""},
      {not_finite, "not-finite", Severity::warning,
       R"(After the last step of `stencilc run`, some cells of a field are NaN or infinite. The message
names the first step after which a cell was not finite; steps are counted from 1. To find this step, the
run is repeated from its inputs, for at most 10 seconds or as long as the run itself took. Usually the
time step is too large, a divisor is 0, or a type is too small for the values. If an input is not
finite, a note says which one. `--fail-on-nan` makes this an error.)",
       "", ""},
      {nesting_limit, "nesting-limit", Severity::error,
       R"(Brackets, prefix operators, `^` and `?:` may be nested at most 256 levels deep; name parts of
the expression with `let`. Functions may call each other at most 64 levels deep, and `let`s and
functions may use each other at most 2,000 levels deep.)",
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
       R"(The program, or the code for it, is larger than the compiler accepts. Among the limits are
64 MiB per file, 10,000 terms per expression and 10,000 reads per update; docs/language.md lists all
of them under "Limits". Usually such a program is generated; name parts of its expressions with `let`.)",
       "", ""},
      {memory_limit, "memory-limit", Severity::error,
       R"(The run needs more memory than is left on the host, in its container, by `ulimit -v` or on the
GPU. Nothing was allocated. The message has a size that would fit; `--dry-run` prints what a run needs. A
grid that is too large for one GPU can be cut into pieces for several with `--devices`.)",
       "", ""},
  };
  return rows;
}

}  // namespace stencilc::diag
