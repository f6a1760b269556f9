#include "emit/body.h"

#include <cctype>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <utility>

#include "emit/parameters.h"
#include "emit/ring.h"
#include "emit/signature.h"
#include "emit/spell.h"
#include "kernel/build.h"

namespace stencilc::emit {
namespace {

// Where nvcc's front end reads the declaration of a constant, it tries to evaluate the initialiser.
// For each variable in it, it evaluates the initialiser of that one again, constant or not, and
// remembers no result. So the time doubles with each variable that the next one uses twice: 0.6 us
// for each initialiser. Variables that would take more of them are not declared as constants; then
// it does not try.
constexpr double kMostInitialisers = 1000;

// The arguments of a kernel, without a body: those that a function of its variants uses.
kernel::Kernel given_to(const kernel::Variants& variants, const kernel::Kernel& kernel) {
  const std::set<std::string> used = kernel::used_names(variants.body);
  kernel::Kernel given;
  given.maps = kernel.maps;
  for (const kernel::Buffer& buffer : kernel.buffers)
    if (used.contains(buffer.name)) given.buffers.push_back(buffer);
  for (const kernel::Param& param : kernel.params)
    if (used.contains(param.name)) given.params.push_back(param);
  return given;
}

class Body {
 public:
  Body(Writer& out, const kernel::Module& module, const Options& options, std::string self,
       const kernel::Kernel* kernel = nullptr)
      : out_(out),
        module_(module),
        kernel_(kernel),
        options_(options),
        rank_(static_cast<int>(module.extents.size())),
        self_(std::move(self)) {}

  void write(const kernel::Body& body) {
    for (const kernel::Stmt& stmt : body)
      std::visit([&](const auto& node) { one(node); }, stmt.node);
  }

 private:
  std::string text(const kernel::ExprPtr& expr) const {
    return spell(expr, options_.dialect, rank_);
  }

  void one(const kernel::Let& node) {
    const double initialisers = 1 + initialisers_in(*node.value);
    initialisers_[node.name] = initialisers;
    const bool constant =
        !node.mutable_ && (options_.dialect != Dialect::cuda || initialisers <= kMostInitialisers);
    const std::string head =
        (constant ? "const " : "") + spell(node.value->type) + " " + node.name + " = ";
    out_.assignment(head, text(node.value));
  }
  // How many initialisers an evaluation of the expression takes, of variables declared above.
  double initialisers_in(const kernel::Expr& expr) const {
    if (const auto* use = std::get_if<kernel::Var>(&expr.node)) {
      const auto found = initialisers_.find(use->name);
      return found == initialisers_.end() ? 0 : found->second;
    }
    double sum = 0;
    kernel::for_each_child(expr,
                           [&](const kernel::ExprPtr& child) { sum += initialisers_in(*child); });
    return sum;
  }
  void one(const kernel::Assign& node) {
    // name = name + x of an index is written name += x
    const auto* sum = kernel::as<kernel::Bin>(node.value);
    const auto* left = sum ? kernel::as<kernel::Var>(sum->left) : nullptr;
    if (left && left->name == node.name && sum->op == kernel::BinOp::add &&
        node.value->type == kernel::Type::index)
      out_.line(node.name + " += " + text(sum->right) + ";");
    else
      out_.assignment(node.name + " = ", text(node.value));
  }
  void one(const kernel::Store& node) {
    out_.assignment(element(node.buffer, node.row, node.at) + " = ", text(node.value));
  }
  void one(const kernel::Combine& node) {
    out_.list("st::fold_row<" + fold_name(node.fold) + ">(",
              {node.buffer.name, text(node.value), text(node.x), text(node.extent), text(node.row)},
              ");");
  }
  void one(const kernel::Array& node) {
    const bool shared = node.buffer.shared;
    const auto count = [](const kernel::Count& one) { return "[" + kernel::spell(one) + "]"; };
    const std::string rows = node.buffer.rows > 1 || shared ? count(node.buffer.rows) : "";
    const std::string row = count(node.buffer.registers);
    if (node.place >= 0)
      return out_.assignment("auto& " + node.buffer.name + " = ",
                             "st::shared<" + spell(node.buffer.element) + rows + row + ">(" +
                                 kernel::spell(node.place) + ")");
    out_.line((shared ? "__shared__ __align__(16) " : "") + spell(node.buffer.element) + " " +
              node.buffer.name + rows + row + (node.zeros ? " = {};" : ";"));
  }
  void one(const kernel::Transpose& node) {
    const std::string which = "<" + kernel::spell(node.bits.registers) + ">(";
    if (node.to_cells)
      out_.list("st::cells_of" + which, {node.cells.name, node.bits.name}, ");");
    else
      out_.list("st::bits_of" + which, {node.bits.name, node.cells.name}, ");");
  }
  void one(const kernel::AsyncCopy& node) {
    if (node.local.empty()) return copy_rows(node);
    std::vector<std::string> items = {place(node.to, node.to_row, node.to_at), node.from.name,
                                      text(node.from_at), text(node.whole)};
    if (node.follow) items.push_back(text(node.follow));
    items.push_back(node.local);
    if (node.ghost) items.push_back(text(node.ghost));
    for (const kernel::ExprPtr& at : node.at) items.push_back(text(at));
    out_.list((node.ghost ? "st::fill_async<" : "st::fill_async_by_cells<") +
                  kernel::spell(node.width) + ">(",
              items, ");");
  }
  void copy_rows(const kernel::AsyncCopy& node) {
    std::string head = node.there ? "st::fill_row" : "st::copy_row";
    std::string counts = kernel::spell(node.width);
    std::vector<std::string> items = {place(node.to, node.to_row, node.to_at),
                                      place(node.from, nullptr, node.from_at)};
    if (node.pitch) {
      head += "s";
      counts += ", " + kernel::spell(node.rows) + ", " + kernel::spell(node.to.registers);
      items.push_back(text(node.pitch));
    }
    items.push_back(text(node.whole));
    if (node.there) items.insert(items.end(), {text(node.there), text(node.ghost)});
    out_.list(head + "_async<" + counts + ">(", items, ");");
  }
  void one(const kernel::Commit&) { out_.line("st::commit();"); }
  void one(const kernel::Follow&) { out_.line("st::follow();"); }
  void one(const kernel::Meet&) { out_.line("st::sync();"); }
  void one(const kernel::CountLowEnd& node) {
    out_.line(std::string("st::count_border<") + (node.block ? "true" : "false") + ">(" +
              kernel_->partition.counter + ");");
  }
  void one(const kernel::Await& node) {
    out_.line("st::wait<" + std::to_string(node.pending) + ">();");
  }
  void one(const kernel::Copy& node) {
    const bool loads = node.from.registers == 0 || node.from.shared;
    const bool stores = node.to.registers == 0 || node.to.shared;
    std::string head = loads ? "st::load<" : stores ? "st::store<" : "st::shift<";
    if (loads || stores)
      head += kernel::spell(node.width) + (node.count > 1 ? ", " + std::to_string(node.count) : "");
    else
      head += kernel::spell(kernel::times(node.count, node.width));
    out_.list(
        head + ">(",
        {place(node.to, node.to_row, node.to_at), place(node.from, node.from_row, node.from_at)},
        ");");
  }
  // u_0[4], u_0[1][4]
  std::string element(const kernel::Buffer& buffer, const kernel::ExprPtr& row,
                      const kernel::ExprPtr& at) const {
    return buffer.name + (row ? "[" + text(row) + "]" : "") + "[" + text(at) + "]";
  }
  // u_0 for &u_0[0], &u_0[4], u_0[1] for &u_0[1][0]
  std::string place(const kernel::Buffer& buffer, const kernel::ExprPtr& row,
                    const kernel::ExprPtr& at) const {
    if (buffer.registers == 0) return place_in(buffer, text(at));
    const auto* number = kernel::as<kernel::Int>(at);
    if (!number || number->value != 0) return "&" + element(buffer, row, at);
    return buffer.name + (row ? "[" + text(row) + "]" : "");
  }
  void one(const kernel::Fill& node) {
    const kernel::Copy& copy = node.copy;
    std::vector<std::string> items = {place(copy.to, copy.to_row, copy.to_at),
                                      place(copy.from, copy.from_row, copy.from_at),
                                      text(node.whole), node.cell};
    if (node.extent) items.insert(items.begin() + 2, text(node.extent));
    if (node.edge) items.insert(items.begin(), text(node.edge));
    for (const kernel::ExprPtr& at : node.at) items.push_back(text(at));
    out_.list((node.extent ? "st::fill_vectors<" : "st::fill<") + kernel::spell(copy.width) +
                  (copy.count > 1 ? ", " + std::to_string(copy.count) : "") + ">(",
              items, ");");
  }
  void one(const kernel::FillCells& node) {
    std::vector<std::string> items = {place(node.to, node.to_row, node.to_at), node.cell};
    for (const kernel::ExprPtr& at : node.at) items.push_back(text(at));
    out_.list("st::fill_cells<" + std::to_string(node.width) + ">(", items, ");");
  }
  void one(const kernel::FillRow& node) {
    std::string row;
    for (const kernel::ExprPtr& at : node.at) row += (row.empty() ? "" : ", ") + text(at);
    std::vector<std::string> items = {place(node.to, node.to_row, node.to_at),
                                      node.from.name,
                                      node.row + "(" + row + ")",
                                      text(node.x),
                                      text(node.whole),
                                      node.cell};
    if (node.extent) items.insert(items.begin() + 4, text(node.extent));
    if (node.edge) items.insert(items.begin(), text(node.edge));
    std::string which = kernel::spell(node.width);
    if (node.first != 0 || node.count > 1) which += ", " + std::to_string(node.first);
    if (node.count > 1) which += ", " + std::to_string(node.count);
    out_.list("st::fill_row<" + which + ">(", items, ");");
  }
  void one(const kernel::Sides& node) {
    std::vector<std::string> items = {place(node.to, node.row, node.own)};
    if (!node.from.name.empty()) items.push_back(place(node.from, nullptr, node.from_at));
    if (!node.cell.empty()) {
      if (node.edge) items.insert(items.begin(), text(node.edge));
      items.insert(items.end(), {text(node.whole), node.cell});
      for (const kernel::ExprPtr& at : node.at) items.push_back(text(at));
    }
    const std::string callee = node.from.name.empty() ? "st::exchange_sides<"
                               : node.cell.empty()    ? "st::load_sides<"
                                                      : "st::fill_sides<";
    out_.list(callee + kernel::spell(node.width) + ", " + std::to_string(node.left) + ", " +
                  std::to_string(node.right) + ">(",
              items, ");");
  }
  void one(const kernel::StoreRow& node) {
    const kernel::Copy& copy = node.copy;
    std::vector<std::string> items = {place(copy.to, copy.to_row, copy.to_at),
                                      place(copy.from, copy.from_row, copy.from_at),
                                      text(node.whole), text(node.limit)};
    if (node.edge) items.insert(items.begin(), text(node.edge));
    out_.list("st::store_row<" + kernel::spell(copy.width) + ">(", items, ");");
  }
  void one(const kernel::Local& node) {
    std::string params = node.flag.empty() ? "" : "auto " + node.flag;
    const std::set<std::string> used = kernel::used_names(node.body);
    for (const std::string& param : node.params)
      params += (params.empty() ? "Index" : ", Index") + (used.count(param) ? " " + param : "");
    const std::string head = "const auto " + node.name + " = [&](" + params + ") {";
    const auto* only =
        node.body.size() == 1 ? std::get_if<kernel::Return>(&node.body[0].node) : nullptr;
    const std::string line = only ? head + " return " + text(only->value) + "; };" : "";
    if (only && out_.column() + static_cast<int>(line.size()) <= kColumns) return out_.line(line);
    out_.line(head);
    inside(node.body);
    out_.line("};");
  }
  void one(const kernel::Perform& node) {
    std::vector<std::string> items;
    if (!node.flag_of.empty())
      items.push_back(node.flag_of);
    else if (node.flag >= 0)
      items.push_back(node.flag != 0 ? "st::Constant<true>()" : "st::Constant<false>()");
    for (const kernel::ExprPtr& arg : node.args) items.push_back(text(arg));
    out_.list(node.local + "(", items, ");");
  }
  // All that a function returns is of one type, a number among indices, too.
  void one(const kernel::Return& node) {
    const auto* number = kernel::as<kernel::Int>(node.value);
    const bool index = number && node.value->type == kernel::Type::index;
    out_.assignment("return ", index ? "Index{" + text(node.value) + "}" : text(node.value));
  }
  // if (...) rows<Index, steps, false, false>(u_new, u, ...); else ...
  void apart(const kernel::Variants& node) {
    const kernel::Kernel given = given_to(node, *kernel_);
    const auto call = [&](const std::vector<bool>& flags, bool) {
      std::string head =
          node.name + "<Index" + (kernel_->steps.empty() ? "" : ", " + kernel_->steps);
      for (const bool flag : flags) head += flag ? ", true" : ", false";
      std::vector<std::string> items;
      for (const kernel::Buffer& buffer : given.buffers) items.push_back(buffer.name);
      for (const auto& [name, type] : given.params)
        items.push_back(node.instead.contains(name) ? node.instead.at(name) : name);
      items.insert(items.end(), node.takes.begin(), node.takes.end());
      if (node.counts) items.push_back(kernel_->partition.counter);
      out_.list(head + ">(", items, ");");
    };
    arms(node, call);
  }
  void one(const kernel::Part& node) {
    std::vector<std::string> made = {node.tile_x, node.first, node.end};
    if (!node.rows) made.insert(made.begin() + 1, node.tile_y);
    std::vector<std::string> items = {kernel_->partition.name, text(node.part)};
    if (!kernel_->partition.borders.empty())
      items.insert(items.begin() + 1, kernel_->partition.borders);
    if (node.rows) items.push_back(text(node.rows));
    items.insert(items.end(), made.begin(), made.end());
    out_.line("Index " + join(made, ", ") + ";");
    out_.list(node.rows ? "st::chunk_of<Index>(" : "st::column_of<Index>(", items, ");");
    if (node.low_end.empty()) return;
    const kernel::Kernel::Partition& partition = kernel_->partition;
    out_.list("const Index " + node.low_end + " = st::end_of_low<Index>(",
              {partition.borders, node.first, text(node.origin)}, ");");
    out_.line("unsigned* const " + partition.counter + " = " + partition.borders + ".counters;");
    const std::string planes = node.rows ? text(node.rows)
                                         : "static_cast<Index>(" + partition.name + ".planes + " +
                                               partition.borders + ".high)";
    out_.list("st::await_planes<Index>(", {partition.borders, node.first, node.end, planes}, ");");
  }
  void one(const kernel::Variants& node) {
    if (node.apart) return apart(node);
    std::string params = "auto " + node.flag;
    for (const std::string& flag : node.further) params += ", auto " + flag;
    out_.line("const auto " + node.name + " = [&](" + params + ") {");
    inside(node.body);
    out_.line("};");
    const auto call = [&](const std::vector<bool>& flags, bool any_alignment) {
      std::vector<std::string> values;
      for (const bool flag : flags)
        values.push_back(flag ? "st::Constant<true>()" : "st::Constant<false>()");
      if (!any_alignment) return out_.list(node.name + "(", values, ");");
      values[0] = node.name;  // and the first flag by it
      values.insert(values.begin(), text(node.aligned));
      out_.list("st::by_vectors_if(", values, ");");
    };
    arms(node, call);
  }
  void arms(const kernel::Variants& node,
            const std::function<void(const std::vector<bool>& flags, bool any_alignment)>& call) {
    const size_t count = 1 + node.further.size();
    const auto arm = [&](const std::string& head, const kernel::ExprPtr& condition,
                         const std::vector<bool>& flags, bool last) {
      out_.line(head + "if (" + text(last ? condition : kernel::both(condition, node.aligned)) +
                ") {");
      out_.indent();
      call(flags, last && node.aligned);
      out_.outdent();
    };
    arm("", node.condition, std::vector<bool>(count, false), node.cases.empty());
    for (const auto& one : node.cases)
      arm("} else ", one.first, one.second, &one == &node.cases.back());
    out_.line("} else {");
    out_.indent();
    if (!node.note.empty()) out_.comment(node.note);
    call(std::vector<bool>(count, true), false);
    out_.outdent();
    out_.line("}");
  }
  void one(const kernel::FastDivision& node) {
    out_.line("st::fast_division([&](auto& rare) {");
    inside(node.body);
    out_.line("});");
  }
  void one(const kernel::RingPtr& node) { write_ring(out_, *node, speller()); }
  void one(const kernel::Source& node) { write_source(out_, node, speller()); }
  void one(const kernel::Stage& node) { write_stage(out_, node, speller()); }
  void one(const kernel::StageEnd& node) { write_stage_end(out_, node, speller()); }
  TextOf speller() const {
    return [this](const kernel::ExprPtr& expr) { return text(expr); };
  }
  void one(const kernel::For& node) {
    const std::string pragma = node.mark == kernel::For::unrolled     ? "#pragma unroll"
                               : node.mark == kernel::For::rolled     ? "#pragma unroll 1"
                               : node.mark == kernel::For::paired     ? "#pragma unroll 2"
                               : node.mark == kernel::For::tripled    ? "#pragma unroll 3"
                               : node.mark == kernel::For::vectorised ? "#pragma omp simd"
                               : node.mark == kernel::For::parallel
                                   ? "#pragma omp parallel for schedule(static)"
                               : node.mark == kernel::For::parallel_2
                                   ? "#pragma omp parallel for collapse(2) schedule(static)"
                               : node.mark == kernel::For::parallel_vectorised
                                   ? "#pragma omp parallel for simd schedule(static)"
                                   : "";
    if (!pragma.empty()) out_.raw(pragma + (node.worth ? " if (" + text(node.worth) + ")" : ""));
    initialisers_.erase(node.name);
    const std::string start =
        node.first ? spell(node.type) + " " + node.name + " = " + text(node.first) : "";
    if (node.next)
      out_.loop(start, node.name + " >= 0", node.name + " = " + text(node.next));
    else
      out_.loop(start, node.name + " < " + text(node.last), "++" + node.name);
    inside(node.body);
    out_.line("}");
  }
  void one(const kernel::If& node) { branch(node, "if ("); }
  void branch(const kernel::If& node, const std::string& before) {
    out_.condition(text(node.condition), before);
    if (node.seldom) {
      out_.indent();
      out_.line("st::keep_branch();");
      out_.outdent();
    }
    inside(node.yes);
    const auto* other = node.no.size() == 1 ? std::get_if<kernel::If>(&node.no[0].node) : nullptr;
    if (other) return branch(*other, "} else if (");
    if (!node.no.empty()) {
      out_.line("} else {");
      inside(node.no);
    }
    out_.line("}");
  }
  void one(const kernel::Note& node) { out_.comment(node.text); }
  void one(const kernel::Line& node) {
    if (!options_.line_directives) return;
    if (node.line > 0)
      out_.raw("#line " + std::to_string(node.line) + " " + emit::quoted(module_.source));
    else
      out_.raw("#line " + std::to_string(out_.lines() + 2) + " " + emit::quoted(self_));
  }
  void inside(const kernel::Body& body) {
    out_.indent();
    write(body);
    out_.outdent();
  }

  Writer& out_;
  const kernel::Module& module_;
  const kernel::Kernel* kernel_;
  const Options& options_;
  const int rank_;
  std::string self_;
  std::map<std::string, double> initialisers_;  // of variables: how many an evaluation takes
};

// The identifiers in a text, but for its comments.
std::set<std::string> identifiers_in(const std::string& text) {
  std::set<std::string> names;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::string name;
    for (const char c : line.substr(0, line.find("//")) + ' ') {
      if (std::isalnum(static_cast<unsigned char>(c)) || c == '_')
        name += c;
      else if (!name.empty())
        names.insert(std::exchange(name, ""));
    }
  }
  return names;
}

// The kernel's constants that occur in the text, as many on a line as fit.
void write_constants(Writer& out, const kernel::Kernel& kernel, const std::string& text) {
  const std::set<std::string> used = identifiers_in(text);
  std::string line;
  for (const auto& [name, value] : kernel.constants) {
    if (!used.contains(name)) continue;
    const std::string one = name + " = " + std::to_string(value);
    if (!line.empty() && out.column() + line.size() + one.size() + 3 > kColumns) {
      out.line(line + ";");
      line.clear();
    }
    line += (line.empty() ? "constexpr Index " : ", ") + one;
  }
  if (!line.empty()) out.line(line + ";");
}

// The constants that the body uses, and the body.
void write_body(Writer& out, const kernel::Module& module, const kernel::Kernel& kernel,
                const kernel::Body& body, const Options& options, const std::string& self) {
  if (!kernel.constants.empty()) {
    Writer scratch;
    scratch.indent();
    Options plain = options;
    plain.line_directives = false;
    Body(scratch, module, plain, self, &kernel).write(body);
    write_constants(out, kernel, scratch.take());
  }
  Body(out, module, options, self, &kernel).write(body);
}

// Variants of a kernel that are functions.
void write_apart(Writer& out, const kernel::Module& module, const kernel::Kernel& kernel,
                 const Options& options, const std::string& self) {
  for (const kernel::Stmt& stmt : kernel.body) {
    const auto* variants = std::get_if<kernel::Variants>(&stmt.node);
    if (!variants || !variants->apart) continue;
    std::string parameters_of = "template <typename Index";
    if (!kernel.steps.empty()) parameters_of += ", int " + kernel.steps;
    parameters_of += ", bool " + variants->flag;
    for (const std::string& flag : variants->further) parameters_of += ", bool " + flag;
    out.line(parameters_of + ">");
    std::vector<std::string> items = parameters(given_to(*variants, kernel), options.dialect);
    for (const std::string& name : variants->takes) items.push_back("Index " + name);
    if (variants->counts) items.push_back("unsigned* " + kernel.partition.counter);
    out.head("__device__ __noinline__ void", variants->name, items);
    out.indent();
    write_body(out, module, kernel, variants->body, options, self);
    out.outdent();
    out.line("}");
    out.blank();
  }
}

}  // namespace

void write_statements(Writer& out, const kernel::Module& module, const kernel::Body& body,
                      Dialect dialect) {
  Options options;
  options.dialect = dialect;
  Body(out, module, options, "").write(body);
}

void write_kernel(Writer& out, const kernel::Module& module, const kernel::Kernel& kernel,
                  const Options& options, const std::string& self) {
  const bool given = !kernel.steps.empty() && !kernel.any_steps;
  write_apart(out, module, kernel, options, self);
  out.line("template <typename Index" + (given ? ", int " + kernel.steps : "") + ">");
  if (options.dialect == Dialect::cuda) {
    std::string bounds = std::to_string(kernel.block_threads());
    const std::string blocks = std::to_string(kernel.resident);
    const bool alike = kernel.wide_too || kernel.resident == 1;
    if (kernel.resident > 0)
      bounds += alike ? ", " + blocks : ", sizeof(Index) == 4 ? " + blocks + " : 1";
    std::vector<std::string> items = parameters(kernel, options.dialect);
    if (!kernel.partition.name.empty())
      items.push_back(partition_type(kernel) + kernel.partition.name);
    if (!kernel.partition.borders.empty())
      items.push_back("st::Borders " + kernel.partition.borders);
    out.head("__global__ void __launch_bounds__(" + bounds + ")", kernel.name, items);
  } else {
    out.list("void " + kernel.name + "(", parameters(kernel, options.dialect), ") {");
  }
  out.indent();
  write_body(out, module, kernel, kernel.body, options, self);
  if (!kernel.partition.borders.empty() && kernel.partition.name.empty()) {
    out.line("// The first blocks have the low end of a window, which a neighbour waits for.");
    out.line("st::count_first_layer(" + kernel.partition.borders + ");");
  } else if (!kernel.partition.borders.empty()) {
    const std::string all = kernel.rank == 3 ? "true" : "false";
    out.list("st::count_high_end<" + all + ", Index>(",
             {kernel.partition.borders,
              "static_cast<Index>(st::tiles_of(" + kernel.partition.name + "))",
              spell(kernel.partition.part, options.dialect, kernel.rank)},
             ");");
  }
  out.outdent();
  out.line("}");
}

}  // namespace stencilc::emit
