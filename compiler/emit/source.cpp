#include <algorithm>

#include "emit/body.h"
#include "emit/signature.h"
#include "emit/spell.h"

namespace stencilc::emit {
namespace {

class Source {
 public:
  Source(const kernel::Module& module, const Options& options)
      : module_(module),
        options_(options),
        cuda_(options.dialect == Dialect::cuda),
        self_(module.file + (cuda_ ? ".cu" : ".cpp")) {}

  std::string write() {
    for (const std::string& line : module_.story) out_.comment(line);
    out_.blank();
    out_.raw("#include \"" + module_.header + "\"");
    out_.blank();
    out_.line("namespace " + module_.name + " {");
    out_.line("namespace {");
    out_.blank();
    write_kernel(out_, module_, options_, self_);
    out_.blank();
    advance();
    out_.blank();
    out_.line("}  // namespace");
    out_.blank();
    run();
    out_.blank();
    out_.line("}  // namespace " + module_.name);
    out_.blank();
    c_entry();
    return out_.take();
  }

 private:
  int rank() const { return static_cast<int>(module_.extents.size()); }

  // The buffers of the C entry as advance() takes them.
  std::vector<std::string> advance_parameters() const {
    std::vector<std::string> items;
    for (const kernel::Grid& grid : module_.grids) {
      if (!grid.used) continue;
      const std::string type = spell(grid.element);
      items.push_back(rotates(grid) ? type + "** " + grid.name
                                    : (grid.role == kernel::Grid::input ? "const " : "") + type +
                                          "* " + grid.name);
    }
    items.push_back("const stencil::Shape& shape");
    for (const kernel::ScalarParam& param : module_.params)
      if (param.used) items.push_back(spell(param.type) + " " + param.name);
    if (module_.steps) items.push_back("int64_t steps");
    if (cuda_) items.push_back("stencil::Stream stream");
    return items;
  }

  // u[1], u[0], c, dt, nx, ny, pitch: what the kernel is called with.
  std::vector<std::string> kernel_arguments() const {
    std::vector<std::string> items;
    for (const kernel::BufferArg& arg : module_.buffer_args) {
      const kernel::Grid& grid = module_.grids[arg.grid];
      items.push_back(rotates(grid) ? grid.name + "[" + std::to_string(arg.slot) + "]" : grid.name);
    }
    for (const kernel::Param& param : module_.kernel.params) items.push_back(param.name);
    return items;
  }

  void advance() {
    out_.comment(module_.steps ? "The time loop: each step writes the last buffer of a field, "
                                 "which then becomes the first."
                               : "One launch computes everything.");
    out_.line("template <typename Index>");
    out_.list("stencil::Status advance(", advance_parameters(), ") {");
    out_.indent();
    const std::vector<std::string> members = {"nx", "ny", "nz"};
    for (int a = 0; a < rank(); ++a) index_value(module_.extents[a], members[a]);
    const std::vector<std::string> strides = {"pitch", "plane"};
    for (size_t n = 0; n < module_.strides.size(); ++n) index_value(module_.strides[n], strides[n]);
    if (cuda_) launch_shape();
    if (module_.steps) {
      out_.line("for (int64_t left = steps; left > 0; --left) {");
      out_.indent();
    }
    launch();
    for (const kernel::Grid& grid : module_.grids)
      if (rotates(grid))
        out_.line("stencil::rotate<" + std::to_string(grid.buffers) + ">(" + grid.name + ");");
    if (module_.steps) {
      out_.outdent();
      out_.line("}");
    }
    out_.line(cuda_ ? "return stencil::launched(\"" + module_.name + "\");" : "return {};");
    out_.outdent();
    out_.line("}");
  }

  void index_value(const std::string& name, const std::string& member) {
    const auto& params = module_.kernel.params;
    const auto is = [&](const kernel::Param& param) { return param.name == name; };
    if (std::none_of(params.begin(), params.end(), is)) return;
    out_.line("const Index " + name + " = static_cast<Index>(shape." + member + ");");
  }

  void launch_shape() {
    std::vector<std::string> threads, blocks;
    const std::vector<std::string> members = {"shape.nx", "shape.ny", "shape.nz"};
    for (int a = 0; a < rank(); ++a) {
      threads.push_back(std::to_string(module_.kernel.threads[a]));
      const int tile = module_.kernel.tile[a];
      blocks.push_back("blocks_" + std::string(1, "xyz"[a]));
      out_.line("const int64_t " + blocks.back() + " = " +
                (tile == 1 ? members[a]
                           : "stencil::blocks(" + members[a] + ", " + std::to_string(tile) + ")") +
                ";");
    }
    out_.line("const dim3 threads(" + join(threads, ", ") + ");");
    out_.line("const dim3 blocks = stencil::grid_of(" + join(blocks, ", ") + ");");
  }

  void launch() {
    const std::vector<std::string> arguments = kernel_arguments();
    const std::string callee = module_.kernel.name + "<Index>";
    if (!cuda_) return out_.list(callee + "(", arguments, ");");
    // Where the call is too long for a line, clang-format breaks it in front of the launch
    // configuration if the rest then fits.
    const std::string configuration = "<<<blocks, threads, 0, stream>>>(";
    const int width = static_cast<int>((configuration + join(arguments, ", ") + ");").size());
    if (out_.column() + static_cast<int>(callee.size()) + width <= kColumns ||
        out_.column() + 4 + width > kColumns)
      return out_.list(callee + configuration, arguments, ");");
    out_.line(callee);
    out_.line("    " + configuration + join(arguments, ", ") + ");");
  }

  void run() {
    out_.list("stencil::Status run(", run_parameters(module_), ") {");
    out_.indent();
    out_.line("stencil::Call<" + std::to_string(rank()) + "> call(\"" + module_.name +
              "\", stream);");
    std::vector<std::string> arguments, levels;
    for (const kernel::Grid& grid : module_.grids) {
      const std::string text = "\"" + grid.name + "\"";
      if (rotates(grid)) {
        std::vector<std::string> items = {text};
        for (const std::string& name : grid.level_names) items.push_back("args." + name);
        out_.list("auto " + grid.name + " = call.levels<" + std::to_string(grid.buffers) + ">(",
                  items, ");");
        arguments.push_back(grid.name + ".at");
        levels.push_back(grid.name);
      } else {
        const bool input = grid.role == kernel::Grid::input;
        out_.line((input ? "const " : "") + spell(grid.element) + "* " + grid.name + " = call." +
                  (input ? "input" : "output") + "(" + text + ", args." + grid.name + ");");
        arguments.push_back(grid.name);
      }
    }
    out_.line("if (!call.ok()) return call.status();");
    for (const char* name : {"nx", "ny", "nz"})
      if (arguments.size() < module_.grids.size() + rank())
        arguments.push_back(std::string("call.") + name + "()");
    if (rank() > 1) arguments.push_back("call.pitch()");
    if (rank() > 2) arguments.push_back("call.plane()");
    for (const kernel::ScalarParam& param : module_.params)
      arguments.push_back("args." + param.name);
    if (module_.steps) arguments.push_back("steps.count");
    if (cuda_) arguments.push_back("stream");
    out_.list("const int code = " + c_name(module_) + "(", arguments, ");");
    levels.insert(levels.begin(), "code");
    out_.list("return call.finish(", levels, ");");
    out_.outdent();
    out_.line("}");
  }

  void c_entry() {
    out_.list("int " + c_name(module_) + "(", c_parameters(module_, options_.dialect), ") {");
    out_.indent();
    out_.line("const stencil::Shape shape = stencil::shape({" + join(module_.extents, ", ") + "}" +
              ", " + (rank() == 1 ? module_.extents[0] : join(module_.strides, ", ")) + ");");
    std::vector<std::string> buffers, arguments;
    for (const kernel::Grid& grid : module_.grids) {
      const std::string what =
          grid.role == kernel::Grid::input ? "buffers.read(\"" : "buffers.written(\"";
      for (int b = 0; b < grid.buffers; ++b) {
        const std::string name =
            rotates(grid) ? grid.name + "[" + std::to_string(b) + "]" : grid.name;
        buffers.push_back(what + name + "\", " + name + ");");
      }
      if (grid.used) arguments.push_back(grid.name);
    }
    arguments.push_back("shape");
    for (const kernel::ScalarParam& param : module_.params)
      if (param.used) arguments.push_back(param.name);
    if (module_.steps) arguments.push_back("steps");
    if (cuda_) arguments.push_back("stream");
    for (const kernel::ScalarParam& param : module_.params) {
      if (param.used) continue;
      out_.comment("No update reads " + param.name + ".");
      out_.line("static_cast<void>(" + param.name + ");");
    }
    out_.line("stencil::Buffers<" + std::to_string(buffers.size()) + "> buffers;");
    for (const std::string& buffer : buffers) out_.line(buffer);
    out_.line("const stencil::Steps count{" + std::string(module_.steps ? "steps" : "1") + "};");
    out_.line("const stencil::Status ready = stencil::check(\"" + module_.name +
              "\", shape, count, buffers);");
    out_.line("if (!ready.ok()) return stencil::code_of(ready);");
    const std::string cells =
        rank() == 1 ? module_.extents[0] : module_.strides.back() + " * " + module_.extents.back();
    out_.line("const bool narrow = stencil::fits_32_bits(" + cells + ");");
    out_.line("const auto advance = narrow ? " + module_.name + "::advance<int> : " + module_.name +
              "::advance<int64_t>;");
    out_.list("const stencil::Status done = advance(", arguments, ");");
    out_.line("return stencil::code_of(done);");
    out_.outdent();
    out_.line("}");
  }

  const kernel::Module& module_;
  const Options& options_;
  const bool cuda_;
  const std::string self_;
  Writer out_;
};

}  // namespace

std::string source(const kernel::Module& module, const Options& options) {
  return Source(module, options).write();
}

}  // namespace stencilc::emit
