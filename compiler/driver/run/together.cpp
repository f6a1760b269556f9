#include "driver/run/together.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "data/files/npy.h"
#include "driver/inputs/file_names.h"
#include "driver/inputs/points.h"
#include "driver/run/output_names.h"
#include "driver/run/outputs.h"
#include "driver/run/plot_options.h"
#include "runtime/include/stencil/communicator.h"

namespace stencilc::driver {
namespace {

int64_t plane_bytes(const data::Array& array) {
  return static_cast<int64_t>(array.bytes.size()) / array.extents.back();
}

// A file that is open for writing.
class Opened {
 public:
  Opened(const std::string& path, int flags)
      : file_(::open(path.c_str(), flags | O_WRONLY | O_CLOEXEC, 0666)) {
    if (file_ < 0) problem_ = std::strerror(errno);
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    if (file_ >= 0) (void)::close(file_);
  }
  const std::string& problem() const { return problem_; }

  void write(const void* bytes, size_t count, int64_t at) {
    const char* from = static_cast<const char*>(bytes);
    while (count > 0 && problem_.empty()) {
      const ssize_t written = ::pwrite(file_, from, count, at);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) {
        problem_ = written == 0 ? "no space is left" : std::strerror(errno);
        return;
      }
      from += written;
      at += written;
      count -= static_cast<size_t>(written);
    }
  }
  // Until what was written is on disk, or fails.
  void close() {
    if (file_ >= 0 && ::close(file_) != 0 && problem_.empty()) problem_ = std::strerror(errno);
    file_ = -1;
  }

 private:
  int file_;
  std::string problem_;
};

stencil::Status status_of(const std::string& problem) {
  return problem.empty() ? stencil::Status()
                         : stencil::Status(stencil::Code::lost_process, problem.c_str());
}

}  // namespace

Options last_outputs(const Options& options, const ir::Stencil& stencil) {
  Options left = options;
  if (options.long_run.every == 0) return left;
  left.plots.clear();
  std::erase_if(left.outputs, [&](const NameValue& one) { return !is_series(stencil, one.first); });
  return left;
}

bool is_written_together(const ir::Stencil& stencil, const NameValue& output, size_t runs) {
  const FileName file = file_name(output.second);
  return runs == 1 && file.kind == FileKind::npy && file.path != "-" &&
         field_index(stencil, output.first) >= 0;
}

std::vector<int> gathered_fields(const Options& options, const ir::Stencil& stencil, size_t runs) {
  const Options last = last_outputs(options, stencil);
  std::vector<int> fields;
  const auto add = [&](const std::string& name) {
    const int field = field_index(stencil, name);
    if (std::ranges::find(fields, field) == fields.end()) fields.push_back(field);
  };
  for (const NameValue& output : last.outputs)
    if (!is_series(stencil, output.first) && !is_written_together(stencil, output, runs))
      for (const std::string& name : split_names(output.first)) add(name);
  for (const std::string& text : last.plots) {
    const PlotOptions figure = *plot_options(text, stencil);
    for (const std::string& name : figure.fields) add(name);
  }
  return fields;
}

std::string gather_level(const ir::Stencil& stencil, size_t field, const HostData& host,
                         const data::Array& own, data::Array* whole) {
  stencil::Communicator& processes = *host.communicator;
  std::vector<data::Planes> of(static_cast<size_t>(processes.size()));
  const std::vector<int64_t> sizes(of.size(), int64_t{sizeof(data::Planes)});
  const data::Extents extents = array_extents(stencil, field, host.extents);
  const data::Planes mine = planes_of(stencil, field, host);
  if (whole != nullptr && whole->bytes.empty()) {
    if (data::Result<data::Array> made = data::make_array(own.element, extents); made.ok())
      *whole = std::move(*made);
    else
      processes.fail(status_of(made.error()));
  }
  if (mine.count == extents.back()) {  // it does not have the axis that is cut
    if (whole != nullptr && processes.status().ok()) whole->bytes = own.bytes;
    return processes.status().message();
  }
  stencil::Status status = processes.gather(&mine, of.data(), sizes);
  const int64_t plane = plane_bytes(own);
  std::vector<stencil::Transfer> messages;
  const int tag = static_cast<int>(field);
  if (processes.rank() != 0) {
    // Messages to send are read only.
    messages.push_back(
        {true, 0, tag, const_cast<std::byte*>(own.bytes.data()), mine.count * plane});
  } else if (status.ok()) {
    std::memcpy(whole->bytes.data(), own.bytes.data(), own.bytes.size());
    for (size_t p = 1; p < of.size(); ++p)
      messages.push_back({false, static_cast<int>(p), tag,
                          whole->bytes.data() + of[p].first * plane, of[p].count * plane});
  }
  if (status.ok()) status = processes.exchange(std::move(messages));
  return status.message();
}

std::string gather(const ir::Stencil& stencil, const std::vector<int>& fields, HostData& host) {
  for (const int f : fields) {
    data::Array& own = host.buffers[newest_slot(stencil, f)];
    data::Array whole;
    const bool first = host.communicator->rank() == 0;
    const std::string why =
        gather_level(stencil, static_cast<size_t>(f), host, own, first ? &whole : nullptr);
    if (!why.empty()) return why;
    if (first) own = std::move(whole);
  }
  return "";
}

std::string write_npy_together(const ir::Stencil& stencil, int field, const HostData& host,
                               const std::string& path) {
  stencil::Communicator& processes = *host.communicator;
  const size_t f = static_cast<size_t>(field);
  const data::Array& own = newest(stencil, host, field);
  const data::Extents extents = array_extents(stencil, f, host.extents);
  const data::Planes planes = planes_of(stencil, f, host);
  // NumPy has no bf16.
  const bool converts = own.element == data::Element::bf16;
  const data::Array as_f32 = converts ? *data::converted(own, data::Element::f32) : data::Array();
  const data::Array& written = converts ? as_f32 : own;
  const std::string header = data::npy_header(written.element, extents), part = path + ".part";
  const bool first = processes.rank() == 0;
  std::string problem;
  if (first) {
    Opened file(part, O_CREAT | O_TRUNC);
    problem = file.problem();
    if (problem.empty()) file.write(header.data(), header.size(), 0);
    file.close();
    problem = file.problem();
  }
  // Nobody leaves a part of a file behind; any of them may be the one that goes on.
  const auto failed = [&](const stencil::Status& why) {
    (void)std::remove(part.c_str());
    return why.message();
  };
  stencil::Status status = processes.agree(status_of(problem), "a file");
  if (!status.ok()) return failed(status);
  // A field without the axis that is cut is whole everywhere.
  if (first || planes.count < extents.back()) {
    Opened file(part, 0);
    if (file.problem().empty())
      file.write(written.bytes.data(), written.bytes.size(),
                 static_cast<int64_t>(header.size()) + planes.first * plane_bytes(written));
    file.close();
    problem = file.problem();
  }
  status = processes.agree(status_of(problem), "a file");
  if (!status.ok()) return failed(status);
  if (first && std::rename(part.c_str(), path.c_str()) != 0) problem = std::strerror(errno);
  status = processes.agree(status_of(problem), "a file");
  return status.ok() ? "" : failed(status);
}

}  // namespace stencilc::driver
