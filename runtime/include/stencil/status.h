// Status: the outcome of a call. A failure has a code and a text that says what is wrong, with
// numbers, and what to do.
#pragma once

#include <cstdarg>
#include <cstdio>

#include "codes.h"

namespace stencil {

enum class Code : int {
  ok = STENCIL_OK,
  null_pointer = STENCIL_NULL_POINTER,
  host_pointer = STENCIL_HOST_POINTER,
  misaligned = STENCIL_MISALIGNED,
  bad_extents = STENCIL_BAD_EXTENTS,
  bad_pitch = STENCIL_BAD_PITCH,
  aliasing = STENCIL_ALIASING,
  negative_steps = STENCIL_NEGATIVE_STEPS,
  out_of_memory = STENCIL_OUT_OF_MEMORY,
  no_device = STENCIL_NO_DEVICE,
  no_kernel_image = STENCIL_NO_KERNEL_IMAGE,
  insufficient_driver = STENCIL_INSUFFICIENT_DRIVER,
  launch_configuration = STENCIL_LAUNCH_CONFIGURATION,
  sticky_error = STENCIL_STICKY_ERROR,
  fp_environment = STENCIL_FP_ENVIRONMENT,
  cuda_error = STENCIL_CUDA_ERROR,
  small_workspace = STENCIL_SMALL_WORKSPACE,
  lost_process = STENCIL_LOST_PROCESS,
  bad_file = STENCIL_BAD_FILE,
};

// A value: it owns its text, allocates nothing and throws nothing.
class [[nodiscard]] Status {
 public:
  static constexpr int text_size = 316;

  Status() = default;
  Status(Code code, const char* text) : code_(code) {
    std::snprintf(text_, sizeof text_, "%s", text);
  }

  bool ok() const { return code_ == Code::ok; }
  Code code() const { return code_; }
  const char* message() const { return text_; }  // "" on success

 private:
  Code code_ = Code::ok;
  char text_[text_size] = {};
};

__attribute__((format(printf, 2, 3))) inline Status failure(Code code, const char* format, ...) {
  char text[Status::text_size];
  va_list values;
  va_start(values, format);
  std::vsnprintf(text, sizeof text, format, values);
  va_end(values);
  return Status(code, text);
}

namespace detail {
inline char* last_error() {
  static thread_local char text[Status::text_size];
  return text;
}
}  // namespace detail

// The status as the C interface returns it: its code, with the text kept for stencil_last_error().
inline int code_of(const Status& status) {
  if (!status.ok()) std::snprintf(detail::last_error(), Status::text_size, "%s", status.message());
  return static_cast<int>(status.code());
}

// The way back: the status of a code that the C interface has just returned on this thread.
inline Status status_of(int code) {
  return code == STENCIL_OK ? Status() : Status(static_cast<Code>(code), detail::last_error());
}

}  // namespace stencil

// Present in every object that includes this header, because C and Fortran callers cannot
// instantiate it.
extern "C" __attribute__((used)) inline const char* stencil_last_error(void) {
  return stencil::detail::last_error();
}
