#include "check/front_end/front_end.h"

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Job.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/FrontendActions.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <map>
#include <mutex>
#include <string_view>

#include "check/shim/shim_text.h"

namespace stencilc::check {
namespace {

using clang::DiagnosticsEngine;

// The folder of the texts in memory. It does not exist on disk, and is removed from messages.
const std::string memory_dir = "/stencilc-memory/";

class Collector : public clang::DiagnosticConsumer {
 public:
  std::vector<std::string> findings;

  void HandleDiagnostic(DiagnosticsEngine::Level level,
                        const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < DiagnosticsEngine::Note) return;
    std::string where;
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      const auto place = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
      where = place.getFilename();
      if (where.starts_with(memory_dir)) where.erase(0, memory_dir.size());
      where +=
          ":" + std::to_string(place.getLine()) + ":" + std::to_string(place.getColumn()) + ": ";
    }
    static constexpr const char* names[] = {
        "", "note: ", "remark: ", "warning: ", "error: ", "error: "};
    llvm::SmallString<256> text;
    diagnostic.FormatDiagnostic(text);
    findings.push_back(where + names[level] + text.str().str());
  }
};

// The arguments by which cc1 finds the C++ and C headers of this machine, determined once.
const std::vector<std::string>& system_includes() {
  static const std::vector<std::string> found = [] {
    clang::DiagnosticOptions options;
    auto files = llvm::vfs::getRealFileSystem();
    auto engine = clang::CompilerInstance::createDiagnostics(*files, options,
                                                             new clang::IgnoringDiagConsumer, true);
    clang::driver::Driver driver(STENCILC_CLANG_DIR "/bin/clang++", "x86_64-pc-linux-gnu", *engine);
    driver.setCheckInputsExist(false);
    std::unique_ptr<clang::driver::Compilation> job(driver.BuildCompilation(
        {STENCILC_CLANG_DIR "/bin/clang++", "-fsyntax-only", "-xc++", "a.cpp"}));
    std::vector<std::string> arguments;
    if (!job || job->getJobs().size() == 0) return arguments;
    const auto& all = job->getJobs().begin()->getArguments();
    for (size_t i = 0; i + 1 < all.size(); ++i) {
      const std::string_view name = all[i];
      if (name != "-internal-isystem" && name != "-internal-externc-isystem" &&
          name != "-resource-dir")
        continue;
      arguments.insert(arguments.end(), {all[i], all[i + 1]});
    }
    return arguments;
  }();
  return found;
}

std::vector<std::string> arguments_of(const Source& source, Pass pass, Warnings warnings) {
  const std::string shim = memory_dir + "shim";
  const bool cuda = pass == Pass::cuda_host || pass == Pass::cuda_device;
  std::vector<std::string> arguments = {"-fdeprecated-macro", "-fgnuc-version=4.2.1",
                                        "-fcxx-exceptions",   "-fexceptions",
                                        "-ferror-limit",      "20",
                                        "-ffp-contract=off",  "-discard-value-names"};
  auto add = [&](std::initializer_list<std::string> more) {
    arguments.insert(arguments.end(), more);
  };
  if (pass == Pass::cuda_device) {
    add({"-triple", "nvptx64-nvidia-cuda", "-aux-triple", "x86_64-pc-linux-gnu", "-target-cpu",
         "sm_90", "-target-feature", "+ptx84", "-fcuda-is-device", "-fno-threadsafe-statics", "-O2",
         "-disable-llvm-passes", "-relaxed-aliasing", "-disable-lifetime-markers"});
  } else {
    add({"-triple", "x86_64-pc-linux-gnu", "-mrelocation-model", "pic", "-pic-level", "2",
         "-funwind-tables=2", "-target-cpu", "x86-64", "-O0"});
  }
  if (pass == Pass::cuda_host) {
    add({"-aux-triple", "nvptx64-nvidia-cuda", "-fcuda-include-gpubinary", memory_dir + "image"});
  }
  add({"-internal-isystem", shim});
  if (cuda) {
    add({"-target-sdk-version=12.8"});  // launches go through __cudaPushCallConfiguration
    add({"-internal-isystem", STENCILC_CLANG_RESOURCE_DIR "/include/cuda_wrappers",
         "-D__STENCIL_EXECUTOR__=1", "-D__CUDA_ARCH_LIST__=900", "-include", "cuda_runtime.h"});
  }
  arguments.insert(arguments.end(), system_includes().begin(), system_includes().end());
  add({"-I", memory_dir});
  for (const auto& dir : source.include_dirs) add({"-I", dir});
  if (warnings == Warnings::all) {
    add({"-Wall", "-Wextra", "-Wno-pass-failed"});  // about unroll hints
  } else {
    add({"-w"});
  }
  if (source.name.ends_with(".h")) add({"-Wno-pragma-once-outside-header"});
  if (pass == Pass::cpp) add({"-fopenmp"});
  add({pass == Pass::cpp ? "-std=c++20" : "-std=c++17", "-x", cuda ? "cuda" : "c++"});
  return arguments;
}

using FileSystem = llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>;

constexpr const char* prelude_file = "prelude.h";
constexpr const char* precompiled_file = "prelude.pch";

FileSystem files_of(const Source& source, llvm::StringRef precompiled) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto add = [&](const std::string& path, llvm::StringRef text) {
    memory->addFile(memory_dir + path, 0, llvm::MemoryBuffer::getMemBuffer(text));
  };
  for (const ShimFile& file : shim_files) add("shim/" + std::string(file.name), file.text);
  add("image", "the device side is compiled on its own");
  add(source.name, source.text);
  add(prelude_file, source.prelude);
  if (!precompiled.empty()) add(precompiled_file, precompiled);
  for (const MemoryFile& file : source.files) add(file.path, file.text);
  auto all =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(llvm::vfs::getRealFileSystem());
  all->pushOverlay(memory);
  return all;
}

std::vector<std::string> run(const std::vector<std::string>& arguments, const FileSystem& files,
                             const std::string& name, clang::FrontendAction& action) {
  std::vector<const char*> pointers;
  for (const auto& argument : arguments) pointers.push_back(argument.c_str());

  Collector collector;
  clang::CompilerInstance compiler;
  compiler.setVerboseOutputStream(llvm::nulls());
  compiler.setVirtualFileSystem(files);
  compiler.createFileManager();
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  if (clang::CompilerInvocation::CreateFromArgs(compiler.getInvocation(), pointers,
                                                compiler.getDiagnostics())) {
    compiler.createDiagnostics(&collector,
                               /*ShouldOwnClient=*/false);  // again with the warning flags
    const bool good = compiler.ExecuteAction(action);
    if (!good && collector.findings.empty())
      collector.findings.push_back(name + ": clang gave up without a word");
  }
  return std::move(collector.findings);
}

// The prelude of the source as a precompiled header; "" if Clang reports something about it, which
// it then reports for the text.
std::string precompile(const Source& source, std::vector<std::string> arguments) {
  llvm::SmallString<128> path;
  if (llvm::sys::fs::createTemporaryFile("stencilc", "pch", path)) return "";
  arguments.insert(arguments.end(), {"-o", path.str().str(), memory_dir + prelude_file});
  clang::GeneratePCHAction action;
  std::string made;
  if (run(arguments, files_of(source, ""), prelude_file, action).empty()) {
    if (auto buffer = llvm::MemoryBuffer::getFile(path)) made = (*buffer)->getBuffer().str();
  }
  llvm::sys::fs::remove(path);
  return made;
}

// The precompiled prelude of the source, kept for the lifetime of the process; "" if there is none.
// It is not made for a single text.
llvm::StringRef precompiled(const Source& source, const std::vector<std::string>& arguments) {
  if (source.prelude.empty()) return "";
  struct Entry {
    std::once_flag once;
    bool looked_up = false;
    std::string made;
  };
  static std::mutex mutex;
  static std::map<std::string, Entry> entries;
  std::string key = source.prelude;
  for (const std::string& argument : arguments) key += argument + '\0';
  for (const MemoryFile& file : source.files)
    if (file.path.find('/') != std::string::npos) key += file.path + '\0' + file.text;
  Entry* entry;
  {
    const std::lock_guard lock(mutex);
    entry = &entries[key];
    if (!std::exchange(entry->looked_up, true)) return "";
  }
  std::call_once(entry->once, [&] { entry->made = precompile(source, arguments); });
  return entry->made;
}

}  // namespace

std::vector<std::string> run_front_end(const Source& source, Pass pass, Warnings warnings,
                                       clang::FrontendAction& action) {
  std::vector<std::string> arguments = arguments_of(source, pass, warnings);
  const llvm::StringRef header = precompiled(source, arguments);
  if (!header.empty())
    arguments.insert(arguments.end(), {"-include-pch", memory_dir + precompiled_file});
  arguments.push_back(memory_dir + source.name);
  return run(arguments, files_of(source, header), source.name, action);
}

}  // namespace stencilc::check
