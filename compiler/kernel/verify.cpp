#include <map>
#include <unordered_map>

#include "kernel/build.h"
#include "kernel/ring.h"

namespace stencilc::kernel {
namespace {

struct Verifier {
  struct Name {
    Type type;
    bool changes;
  };
  const Kernel& kernel;
  std::vector<std::string> problems;
  std::unordered_map<std::string, Name> names = {};            // of all scopes
  std::vector<std::vector<const std::string*>> scopes = {{}};  // the keys that each declares

  const Name* find(const std::string& name) const {
    const auto found = names.find(name);
    return found == names.end() ? nullptr : &found->second;
  }
  void declare(const std::string& name, Type type, bool changes = false) {
    const auto [place, is_new] = names.emplace(name, Name{type, changes});
    if (is_new)
      scopes.back().push_back(&place->first);
    else
      problems.push_back("`" + name + "` is declared twice");
  }
  void begin_scope() { scopes.emplace_back(); }
  void end_scope() {
    for (const std::string* name : scopes.back()) names.erase(names.find(*name));
    scopes.pop_back();
  }
  std::multimap<std::string, const Buffer*> given = {};           // of the kernel
  std::vector<std::multimap<std::string, Buffer>> arrays = {{}};  // by scope
  std::map<std::string, size_t> locals;                           // and how many indices they take
  int fast_divisions = 0;                                         // so many of them around

  void use(const Buffer& buffer) {
    if (buffer.registers > 0) {
      for (const auto& scope : arrays)
        for (auto [known, end] = scope.equal_range(buffer.name); known != end; ++known)
          if (known->second.element == buffer.element &&
              known->second.registers == buffer.registers && known->second.rows == buffer.rows &&
              known->second.shared == buffer.shared)
            return;
      problems.push_back("`" + buffer.name + "` is used and not declared");
      return;
    }
    for (auto [known, end] = given.equal_range(buffer.name); known != end; ++known)
      if (known->second->element == buffer.element && known->second->writable == buffer.writable &&
          known->second->texel == buffer.texel)
        return;
    problems.push_back("`" + buffer.name + "` is no buffer of the kernel");
  }

  void check(const ExprPtr& expr) {
    if (!expr) {
      problems.push_back("an expression is missing");
      return;
    }
    bool complete = true;
    const Expr* first = nullptr;
    for_each_child(*expr, [&](const ExprPtr& child) {
      check(child);
      complete = complete && child;
      if (!first) first = child.get();
    });
    if (!complete) return;
    if (const auto* node = as<Var>(expr)) {
      const Name* known = find(node->name);
      if (!known)
        problems.push_back("`" + node->name + "` is used and not declared");
      else if (known->type != expr->type)
        problems.push_back("`" + node->name + "` is used as another type");
    }
    const bool computes = as<Bin>(expr) || as<Neg>(expr) || as<Fma>(expr) || as<Call>(expr);
    if (computes && is_half(first->type)) problems.push_back("an operator computes in a half type");
    if (const auto* node = as<Call>(expr);
        node && node->function >= Fn::quotient && fast_divisions == 0)
      problems.push_back(
          "an operation of ordinary numbers stands where nothing asks for rare ones");
    if (const auto* node = as<Bin>(expr); node && node->left->type != node->right->type)
      problems.push_back("the operands of an operator have two types");
    if (const auto* node = as<Fma>(expr);
        node && (node->a->type != node->b->type || node->b->type != node->c->type))
      problems.push_back("the operands of an fma have two types");
    if (const auto* node = as<Pick>(expr);
        node && (node->yes->type != node->no->type || node->condition->type != Type::boolean))
      problems.push_back(
          "the arms of a selection have two types, or its condition is no condition");
    if (const auto* node = as<Beside>(expr)) {
      use(node->buffer);
      place(node->buffer, nullptr, node->at);
      if (expr->type != node->buffer.element || node->own->type != expr->type)
        problems.push_back("`" + node->buffer.name + "` is loaded as another type");
    }
    if (const auto* node = as<Entry>(expr)) {
      use(node->list);
      const bool any = node->what == Entry::any;
      if (!node->list.entries || node->args.size() != (any ? 2 : 1) ||
          expr->type != (any ? Type::boolean : Type::index))
        problems.push_back("`" + node->list.name + "` is searched as no list of entries is");
    }
    if (const auto* node = as<Load>(expr)) {
      use(node->buffer);
      if (expr->type != node->buffer.element)
        problems.push_back("`" + node->buffer.name + "` is loaded as another type");
      place(node->buffer, node->row, node->at);
    }
  }

  void check(const Body& body) {
    begin_scope();
    arrays.emplace_back();
    for (const Stmt& stmt : body) std::visit([&](const auto& node) { one(node); }, stmt.node);
    arrays.pop_back();
    end_scope();
  }
  void one(const Let& node) {
    check(node.value);
    if (node.value) declare(node.name, node.value->type, node.mutable_);
  }
  void one(const Assign& node) {
    check(node.value);
    const Name* known = find(node.name);
    if (!known)
      problems.push_back("`" + node.name + "` is assigned and not declared");
    else if (!known->changes)
      problems.push_back("`" + node.name + "` is assigned and constant");
    else if (node.value && node.value->type != known->type)
      problems.push_back("a value of another type is assigned to `" + node.name + "`");
  }
  void one(const Array& node) {
    declare(node.buffer.name, node.buffer.element);
    arrays.back().emplace(node.buffer.name, node.buffer);
    if (node.buffer.registers < 1)
      problems.push_back("`" + node.buffer.name + "` is an array of no values");
  }
  void one(const Transpose& node) {
    use(node.cells);
    use(node.bits);
    constexpr int kCells = 32;
    if (bytes_of(node.cells.element) != 1 || node.cells.registers != kCells ||
        node.bits.element != Type::bits || node.bits.registers > 8)
      problems.push_back("`" + node.cells.name + "` are no 32 cells of a byte each, or `" +
                         node.bits.name + "` no bits of theirs");
  }
  void one(const AsyncCopy& node) {
    use(node.to);
    use(node.from);
    place(node.to, node.to_row, node.to_at);
    place(node.from, nullptr, node.from_at);
    for (const ExprPtr& expr : {node.ghost, node.there, node.pitch, node.follow})
      if (expr) check(expr);
    if (node.local.empty()) {
      check(node.whole);
      if (node.there && !node.ghost)
        problems.push_back("`" + node.from.name + "` is copied where it may not be");
    } else {
      called(node.local, node.whole, node.at);
      if (node.there || node.pitch)
        problems.push_back("`" + node.from.name + "` is copied by a Local, and all at once");
    }
    if (!node.to.shared || node.from.registers != 0)
      problems.push_back("`" + node.to.name + "` is no shared memory, or not copied from memory");
    if (node.to.element != node.from.element)
      problems.push_back("values of `" + node.from.name + "` are copied to another type");
  }
  void one(const Commit&) {}
  void one(const Follow&) {}
  void one(const Meet&) {}
  void one(const CountLowEnd&) {
    if (kernel.partition.counter.empty()) problems.push_back("the kernel counts no low end");
  }
  void one(const Await&) {}
  void one(const Copy& node) {
    use(node.to);
    use(node.from);
    place(node.to, node.to_row, node.to_at);
    place(node.from, node.from_row, node.from_at);
    if (node.to.element != node.from.element)
      problems.push_back("values of `" + node.from.name + "` are copied to another type");
    const bool from_memory = node.from.registers == 0 || node.from.shared;
    if ((node.to.registers == 0 || node.to.shared) && from_memory)
      problems.push_back("values are copied from memory to memory");
    if (node.to.registers == 0 && !node.to.writable)
      problems.push_back("`" + node.to.name + "` is stored to and read only");
  }
  // The index of a value: and of its row, where there are several.
  void place(const Buffer& buffer, const ExprPtr& row, const ExprPtr& at) {
    check(at);
    if (row) check(row);
    if ((buffer.rows > 1 || buffer.shared) != (row != nullptr))
      problems.push_back("`" + buffer.name +
                         "` is indexed by more or fewer values than it has axes");
    for (const ExprPtr& index : {row, at})
      if (index && index->type != Type::index)
        problems.push_back("`" + buffer.name + "` is indexed by a value that is no index");
  }
  void one(const Fill& node) {
    one(node.copy);
    if (node.edge) check(node.edge);
    called(node.cell, node.whole, node.at);
  }
  void one(const FillCells& node) {
    use(node.to);
    place(node.to, node.to_row, node.to_at);
    called(node.cell, node.at);
  }
  void one(const FillRow& node) {
    use(node.to);
    use(node.from);
    place(node.to, node.to_row, node.to_at);
    if (node.to.element != node.from.element)
      problems.push_back("values of `" + node.from.name + "` are copied to another type");
    if (node.edge) check(node.edge);
    called(node.row, node.x, node.at);
    called(node.cell, node.whole, {node.x, node.x});
  }
  void one(const Sides& node) {
    use(node.to);
    place(node.to, node.row, node.own);
    if (!node.from.name.empty()) {
      use(node.from);
      place(node.from, nullptr, node.from_at);
      if (node.to.element != node.from.element)
        problems.push_back("values of `" + node.from.name + "` are copied to another type");
    }
    if (node.left + node.right < 1 || node.width + node.left + node.right > node.to.registers)
      problems.push_back("`" + node.to.name + "` has no place for what lies beside a thread's own");
    if (node.edge) check(node.edge);
    if (!node.cell.empty()) called(node.cell, node.whole, node.at);
  }
  // A function that gives cells where a condition does not hold.
  void called(const std::string& cell, const ExprPtr& whole, const std::vector<ExprPtr>& places) {
    check(whole);
    called(cell, places);
  }
  void called(const std::string& cell, const std::vector<ExprPtr>& places) {
    for (const ExprPtr& at : places) check(at);
    const auto known = locals.find(cell);
    if (known == locals.end() || known->second != places.size())
      problems.push_back("`" + cell + "` is called and no such function");
  }
  void one(const StoreRow& node) {
    one(node.copy);
    check(node.whole);
    check(node.limit);
    if (node.edge) check(node.edge);
  }
  void one(const Local& node) {
    begin_scope();
    for (const std::string& param : node.params) declare(param, Type::index);
    if (!node.flag.empty()) declare(node.flag, Type::boolean);
    check(node.body);
    end_scope();
    if (!locals.emplace(node.name, node.params.size()).second)
      problems.push_back("`" + node.name + "` is declared twice");
  }
  void one(const Perform& node) {
    for (const ExprPtr& arg : node.args) check(arg);
    const auto known = locals.find(node.local);
    if (known == locals.end() || known->second != node.args.size())
      problems.push_back("`" + node.local + "` is called and no such function");
  }
  void one(const Return& node) { check(node.value); }
  void one(const Variants& node) {
    check(node.condition);
    for (const auto& [where, flags] : node.cases) {
      check(where);
      if (flags.size() != 1 + node.further.size())
        problems.push_back("a variant of `" + node.name + "` lacks flags");
    }
    if (node.aligned) check(node.aligned);
    if (node.aligned && node.apart)
      problems.push_back("`" + node.name + "` is a function, and such a flag is true or false");
    for (const std::string& name : node.takes)
      if (!find(name)) problems.push_back("`" + name + "` is used and not declared");
    begin_scope();
    declare(node.flag, Type::boolean);
    for (const std::string& flag : node.further) declare(flag, Type::boolean);
    check(node.body);
    end_scope();
  }
  void one(const Part& node) {
    check(node.part);
    if (node.rows) check(node.rows);
    if (node.origin) check(node.origin);
    for (const std::string& name : {node.tile_x, node.tile_y, node.first, node.end, node.low_end})
      if (!name.empty()) declare(name, Type::index);
    if (kernel.partition.name.empty()) problems.push_back("the kernel does not stream");
  }
  void one(const FastDivision& node) {
    ++fast_divisions;
    check(node.body);
    --fast_divisions;
  }
  void one(const RingPtr& node) {
    if (!node->is_tile()) check(node->stages);
    if (node->kind == Ring::boxes) check(node->mapped);
    if (node->origin) check(node->origin);
    if (node->planes) check(node->planes);
    for (const Ring::Grid& grid : node->grids) {
      declare(grid.planes.name, grid.planes.element);
      for (const ExprPtr& at : grid.at) check(at);
      if (grid.planes.registers < 1 || grid.planes.rows < 1)
        problems.push_back("`" + grid.planes.name + "` is an array of no values");
      bool known = false;
      for (const Kernel::Map& map : kernel.maps) known |= map.name == grid.map;
      if (!known && node->kind == Ring::boxes)
        problems.push_back("`" + grid.map + "` is no map of the kernel");
      if (node->is_tile()) arrays.back().emplace(grid.planes.name, grid.planes);
    }
    if (!node->is_tile() && (node->ahead < 1 || node->depth <= node->ahead))
      problems.push_back("a ring holds no stage but those on their way");
  }
  void one(const Source& node) {
    if (node.edge) check(node.edge);
    for (const Ring::Grid& grid : node.ring->grids) {
      const auto known = locals.find(grid.cell);
      if (node.boundary && (known == locals.end() || known->second != grid.at.size()))
        problems.push_back("`" + grid.cell + "` is called and no such function");
      if (node.ring->kind == Ring::boxes) continue;
      use(grid.memory);
      if (grid.pitch) check(grid.pitch);
      if (grid.stride) check(grid.stride);
    }
  }
  void one(const StageEnd& node) {
    check(node.n);
    if (node.edge) check(node.edge);
  }
  void one(const Stage& node) {
    check(node.n);
    if (node.edge) check(node.edge);
    for (const Stage::Plane& plane : node.planes) {
      declare(plane.buffer.name, plane.buffer.element);
      arrays.back().emplace(plane.buffer.name, plane.buffer);
      if (plane.back > node.ring->back())
        problems.push_back("`" + plane.buffer.name + "` is no longer in its ring");
    }
  }
  void one(const Store& node) {
    use(node.buffer);
    place(node.buffer, node.row, node.at);
    check(node.value);
    if (!node.buffer.writable)
      problems.push_back("`" + node.buffer.name + "` is stored to and read only");
    if (node.value && node.value->type != node.buffer.element)
      problems.push_back("a value of another type is stored to `" + node.buffer.name + "`");
  }
  void one(const Combine& node) {
    use(node.buffer);
    for (const ExprPtr& expr : {node.value, node.x, node.extent, node.row}) check(expr);
    if (!node.buffer.writable)
      problems.push_back("`" + node.buffer.name + "` is stored to and read only");
    if (node.value && node.value->type != node.buffer.element)
      problems.push_back("a value of another type is folded into `" + node.buffer.name + "`");
  }
  void one(const For& node) {
    if (node.first) check(node.first);
    if (!node.next) check(node.last);
    if (node.worth) check(node.worth);
    begin_scope();
    const Name* goes_on = node.first ? nullptr : find(node.name);
    if (!node.first && !(goes_on && goes_on->changes && goes_on->type == node.type))
      problems.push_back("a loop goes on with `" + node.name + "`, which is no variable");
    if (node.first) declare(node.name, node.type);
    if (node.next) check(node.next);
    check(node.body);
    end_scope();
  }
  void one(const If& node) {
    check(node.condition);
    check(node.yes);
    check(node.no);
  }
  void one(const Note&) {}
  void one(const Line&) {}
};

}  // namespace

std::vector<std::string> verify(const Kernel& kernel) {
  Verifier verifier{kernel, {}};
  for (const Buffer& buffer : kernel.buffers) {
    verifier.declare(buffer.name, buffer.element);
    verifier.given.emplace(buffer.name, &buffer);
    if (buffer.writable && buffer.texel > 0)
      verifier.problems.push_back("`" + buffer.name + "` is a texture and stored to");
  }
  for (const Param& param : kernel.params) verifier.declare(param.name, param.type);
  if (!kernel.steps.empty() && !kernel.any_steps) verifier.declare(kernel.steps, Type::index);
  verifier.check(kernel.body);
  return verifier.problems;
}

}  // namespace stencilc::kernel
