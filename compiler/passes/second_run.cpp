#include "passes/second_run.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kernel/build.h"
#include "kernel/live_registers.h"
#include "kernel/rewrite.h"
#include "kernel/uses.h"
#include "passes/effects.h"

namespace stencilc::passes {

using namespace kernel;  // its statements are what is looked at

namespace {

// The least number of registers that beginning anew has to save. Where it saved 8, in harris, ptxas
// took more than that for the additional loads.
constexpr int kSaved = 12;

bool is_value(Type type) { return type != Type::index && type != Type::boolean; }

bool is_registers(const Buffer& buffer) { return buffer.registers > 0 && !buffer.shared; }

bool reads_registers(const Effects& effects) {
  return std::ranges::any_of(effects.loads, [&](const Load* load) {
    return is_registers(load->buffer) && !effects.declared.contains(load->buffer.name);
  });
}

class Anew {
 public:
  void in(Body& body) {
    const size_t outer = scope_.size();
    for (size_t n = 0; n < body.size(); ++n) {
      Stmt& stmt = body[n];
      if (auto* let = std::get_if<Let>(&stmt.node)) {
        scope_.push_back({let->name, let->value->type});
      } else if (std::get_if<FastDivision>(&stmt.node)) {
        n = begin(body, n);
      } else if (auto* loop = std::get_if<For>(&stmt.node)) {
        const size_t before = scope_.size();
        // That of an unrolled one is a constant.
        if (loop->mark != For::unrolled) scope_.push_back({loop->name, loop->type});
        in(loop->body);
        scope_.resize(before);
      } else if (auto* branch = std::get_if<If>(&stmt.node)) {
        in(branch->yes);
        in(branch->no);
      } else if (auto* variants = std::get_if<Variants>(&stmt.node)) {
        in(variants->body);
      } else if (auto* local = std::get_if<Local>(&stmt.node)) {
        in(local->body);
      }
    }
    scope_.resize(outer);
  }

 private:
  struct Name {
    std::string name;
    Type type;
  };

  // Gives the FastDivision at n what it begins with, and before that the statements of what it
  // reads; else alone; or leaves it as it is. Gives its place.
  size_t begin(Body& body, size_t n) const {
    const size_t first = of_what_it_reads(body, n);
    if (first < n && begin(body, first, n)) return first;
    begin(body, n, n);
    return n;
  }
  bool begin(Body& body, size_t first, size_t n) const {
    FastDivision fast;
    for (size_t k = first; k < n; ++k) fast.body.push_back(body[k]);
    append(fast.body, std::get<FastDivision>(body[n].node).body);
    if (!begin(fast)) return false;
    body[n] = {std::move(fast)};
    body.erase(body.begin() + static_cast<std::ptrdiff_t>(first),
               body.begin() + static_cast<std::ptrdiff_t>(n));
    return true;
  }

  // The first of the statements before n that give values that it reads, such as loaded ones, and
  // that nothing after it reads. All of them may run twice.
  static size_t of_what_it_reads(const Body& body, size_t n) {
    Effects all;
    all.see(std::get<FastDivision>(body[n].node).body);
    Uses later;
    for (size_t k = n + 1; k < body.size(); ++k) later.in(body[k]);
    size_t first = n, seen = n;
    for (size_t k = n; k-- > 0;) {
      const auto* let = std::get_if<Let>(&body[k].node);
      if (!let || !is_value(let->value->type) || !all.read.count(let->name)) continue;
      while (seen > k) all.see(body[--seen]);
      if (!all.repeats || std::any_of(all.declared.begin(), all.declared.end(),
                                      [&](const auto& name) { return later.names.count(name); }))
        break;
      if (all.may_run_twice()) first = k;
    }
    return first;
  }

  // Gives it what it begins with. Does that save registers?
  bool begin(FastDivision& fast) const {
    Effects effects;
    effects.see(fast.body);
    if (reads_registers(effects)) return false;
    Uses constant;  // places in arrays in registers
    for (const Load* load : effects.loads)
      if (is_registers(load->buffer)) constant.in(load->at), constant.in(load->row);
    for (const Store* store : effects.stores)
      if (is_registers(store->buffer)) constant.in(store->at), constant.in(store->row);
    Uses used;
    used.in(fast.body);
    const auto is_taken = [&](const std::string& name) {
      return used.names.count(name) || effects.declared.count(name) || find(name);
    };
    Body begin;
    std::map<std::string, std::string> names;
    int words = 0;  // of values that it has instead of what is kept
    for (const auto& [name, type] : scope_) {
      if (!effects.read.count(name) || effects.declared.count(name) ||
          effects.assigned.count(name) || constant.names.count(name) || names.count(name) ||
          is_half(type))  // which no register holds by itself
        continue;
      std::string other = name + "_again";
      while (is_taken(other)) other += '_';
      begin.push_back({Let{other, call(type, Fn::anew, {var(name, type)})}});
      names[name] = other;
      if (is_value(type)) words += (bytes_of(type) + 3) / 4;
    }
    if (begin.empty()) return false;
    Body alone;
    alone.emplace_back(std::move(fast));
    const RegisterUse use = register_use(alone);
    fast = std::get<FastDivision>(std::move(alone.front().node));
    if (use.kept_words - use.live_words - words < kSaved) return false;
    rename_variables(fast.body, names);
    append(begin, std::move(fast.body));
    fast.body = std::move(begin);
    return true;
  }

  bool find(const std::string& name) const {
    return std::any_of(scope_.begin(), scope_.end(),
                       [&](const Name& one) { return one.name == name; });
  }

  std::vector<Name> scope_;
};

}  // namespace

void begin_anew(Body& body) { Anew().in(body); }

}  // namespace stencilc::passes
