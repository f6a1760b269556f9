#include "passes/launch_values.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/number_divisor.h"
#include "kernel/build.h"
#include "kernel/rewrite.h"
#include "kernel/uses.h"

namespace stencilc::passes {

using namespace kernel;  // its statements are what is looked at

namespace {

constexpr size_t kMostOfKernel = 128;  // values: arguments have 4 KB

bool is_single_or_double(Type type) { return type == Type::f32 || type == Type::f64; }

// "factor" of "factor_12".
std::string without_number(const std::string& name) {
  const size_t end = name.find_last_not_of("0123456789");
  const bool numbered = end != std::string::npos && end > 0 && end + 1 < name.size();
  return numbered && name[end] == '_' ? name.substr(0, end) : name;
}

// The variables that the statements declare.
void add_declared(const Body& body, std::set<std::string>& names) {
  for (const Stmt& stmt : body) {
    if (const auto* let = std::get_if<Let>(&stmt.node)) names.insert(let->name);
    if (const auto* array = std::get_if<Array>(&stmt.node)) names.insert(array->buffer.name);
    if (const auto* loop = std::get_if<For>(&stmt.node)) {
      names.insert(loop->name);
      add_declared(loop->body, names);
    }
    if (const auto* local = std::get_if<Local>(&stmt.node)) {
      names.insert(local->name);
      names.insert(local->params.begin(), local->params.end());
      add_declared(local->body, names);
    }
    if (const auto* variants = std::get_if<Variants>(&stmt.node)) {
      names.insert(variants->flag);
      names.insert(variants->further.begin(), variants->further.end());
      add_declared(variants->body, names);
    }
    if (const auto* fast = std::get_if<FastDivision>(&stmt.node)) add_declared(fast->body, names);
    if (const auto* branch = std::get_if<If>(&stmt.node)) {
      add_declared(branch->yes, names);
      add_declared(branch->no, names);
    }
  }
}

class LaunchValues {
 public:
  explicit LaunchValues(Module& module) : module_(module) {
    for (const ScalarParam& param : module.params) {
      if (is_single_or_double(param.type)) params_.insert(param.name);
      if (param.type == Type::i32 || param.type == Type::i64) integers_.insert(param.name);
    }
    for (const Let& let : module.launch_values) known_[text_of(let.value)] = let.name;
  }

  void hoist() {
    if (std::ranges::any_of(module_.launches, takes_several_steps)) return;
    std::vector<std::vector<Let>> taken_out;
    for (Launch& launch : module_.launches) {
      std::vector<Let>& lets = taken_out.emplace_back();
      names_.clear();
      if (has_room(launch.kernel)) take_out(launch.kernel.body, lets);
    }
    find_taken_names();
    for (size_t n = 0; n < taken_out.size(); ++n) {
      Kernel& kernel = module_.launches[n].kernel;
      names_.clear();
      for (const Let& let : taken_out[n]) names_[let.name] = value_of(let, kernel.through_planes);
      rename_variables(kernel.body, names_);
      const std::set<std::string> used = used_names(kernel.body);
      for (const Let& let : module_.launch_values)
        if (used.contains(let.name)) add_param(kernel, let.name, let.value->type);
    }
  }

  void prepare_divisors() {
    find_taken_names();
    for (Launch& launch : module_.launches) {
      prepared_.clear();
      prepare(launch.kernel.body);
      for (const auto& [name, type] : prepared_) add_param(launch.kernel, name, type);
    }
  }

 private:
  static std::string text_of(const ExprPtr& expr) {
    return std::to_string(static_cast<int>(expr->type)) + " " + print(expr);
  }

  // Launches of several steps, the steps that are left beside them, and kernels whose registers are
  // shared out among blocks or hold what comes from planes in shared memory were measured with
  // these values in registers.
  static bool takes_several_steps(const Launch& launch) {
    return !launch.kernel.steps.empty() || launch.kernel.any_steps;
  }
  static bool has_room(const Kernel& kernel) {
    return kernel.resident == 0 && (kernel.shared == 0 || kernel.through_planes) &&
           kernel.maps.empty();
  }

  // The names of all kernels, and of the host's values.
  void find_taken_names() {
    for (const ScalarParam& param : module_.params) taken_.insert(param.name);
    for (const Grid& grid : module_.grids) taken_.insert(grid.name);
    for (const Let& let : module_.launch_values) {
      taken_.insert(let.name);
      params_.insert(let.name);
    }
    for (const Launch& launch : module_.launches) {
      add_declared(launch.kernel.body, taken_);
      for (const Param& param : launch.kernel.params) taken_.insert(param.name);
      for (const Buffer& buffer : launch.kernel.buffers) taken_.insert(buffer.name);
    }
  }

  // ---- what is computed before kernels are launched ----

  bool is_of_params(const ExprPtr& expr) const {
    if (!is_single_or_double(expr->type)) return false;
    if (as<Real>(expr)) return true;
    if (const auto* convert = as<Convert>(expr)) {
      const auto* of = as<Var>(convert->value);
      return of && integers_.contains(of->name);
    }
    if (const auto* var = as<Var>(expr))
      return params_.contains(var->name) || names_.contains(var->name);
    const auto* bin = as<Bin>(expr);
    const auto* function = as<Call>(expr);
    if (!(bin && bin->op <= BinOp::div) && !as<Neg>(expr) && !as<Fma>(expr) &&
        !(function && function->function == Fn::sqrt))
      return false;
    const std::vector<ExprPtr> parts = children(*expr);
    return std::ranges::all_of(parts, [&](const ExprPtr& part) { return is_of_params(part); });
  }
  ExprPtr in_terms_of_host(const ExprPtr& expr) const {
    if (const auto* var = as<Var>(expr)) {
      const auto found = names_.find(var->name);
      return found == names_.end() ? expr : kernel::var(found->second, expr->type);
    }
    Expr copy = *expr;
    replace_children(copy, [&](ExprPtr& child) { child = in_terms_of_host(child); });
    return std::make_shared<const Expr>(std::move(copy));
  }
  // The name of the value, which the host computes from now on.
  std::string value(const std::string& wanted, const ExprPtr& of) {
    const auto [place, fresh] = known_.try_emplace(text_of(of));
    if (!fresh) return place->second;
    std::string name = wanted;
    for (int n = 2; taken_.contains(name); ++n) name = wanted + "_" + std::to_string(n);
    taken_.insert(name);
    params_.insert(name);
    module_.launch_values.push_back({name, of});
    return place->second = name;
  }

  // The name of what was a variable of the kernel. Many without a name of the program's, as kernels
  // have whose blocks go through planes, are named after the params that they are made of.
  std::string value_of(const Let& let, bool many) {
    const ExprPtr of = in_terms_of_host(let.value);
    std::set<std::string> params;
    add_params(of, params);
    std::string wanted = without_number(let.name);
    const bool unnamed =
        wanted == "value" || wanted == "factor" || wanted == "part" || wanted == "sum";
    if (many && unnamed) {
      const auto* quotient = as<Bin>(of);
      const auto* one = quotient && quotient->op == BinOp::div ? as<Real>(quotient->left) : nullptr;
      const auto* divisor = one && one->value == 1 ? as<Var>(quotient->right) : nullptr;
      constexpr size_t kFew = 2;
      wanted = divisor ? "inverse_" + divisor->name : "weight";
      if (!divisor && params.size() <= kFew)
        for (const std::string& param : params) wanted += "_" + param;
    }
    const std::string name = value(wanted, of);
    made_of_.try_emplace(name, std::move(params));
    return name;
  }
  void add_params(const ExprPtr& expr, std::set<std::string>& params) const {
    if (const auto* var = as<Var>(expr)) {
      const auto found = made_of_.find(var->name);
      if (found == made_of_.end())
        params.insert(var->name);
      else
        params.insert(found->second.begin(), found->second.end());
    }
    for_each_child(*expr, [&](const ExprPtr& child) { add_params(child, params); });
  }

  // Takes the variables that are of params alone out of the top of a kernel.
  void take_out(Body& body, std::vector<Let>& lets) {
    std::erase_if(body, [&](const Stmt& stmt) {
      const auto* let = std::get_if<Let>(&stmt.node);
      if (!let || let->mutable_ || as<Var>(let->value) || as<Real>(let->value) ||
          lets.size() >= kMostOfKernel || !is_of_params(let->value))
        return false;
      names_[let->name] = "";
      lets.push_back(*let);
      return true;
    });
    for (Stmt& stmt : body)
      if (auto* variants = std::get_if<Variants>(&stmt.node); variants && !variants->apart)
        take_out(variants->body, lets);
  }
  // In front of the extents.
  static void add_param(Kernel& kernel, const std::string& name, Type type) {
    if (std::ranges::any_of(kernel.params, [&](const Param& one) { return one.name == name; }))
      return;
    const auto extents = std::ranges::find_if(
        kernel.params, [](const Param& one) { return one.type == Type::index; });
    kernel.params.insert(extents, {name, type});
  }

  // ---- divisors ----

  ExprPtr with_reciprocals(const ExprPtr& expr) {
    if (!expr || as<Load>(expr) || as<Beside>(expr) || as<Entry>(expr)) return expr;
    Expr copy = *expr;
    replace_children(copy, [&](ExprPtr& child) { child = with_reciprocals(child); });
    if (auto* division = std::get_if<Call>(&copy.node);
        division && (division->function == Fn::quotient || division->function == Fn::quotient_of)) {
      const auto* number = as<Real>(division->args[1]);
      const ir::Type type = copy.type == Type::f64 ? ir::Type::f64 : ir::Type::f32;
      const auto parts = number ? ir::two_part_reciprocal(number->value, type) : std::nullopt;
      if (parts) {
        division->function = Fn::quotient_by_number;
        division->args.insert(division->args.begin() + 2, {make(copy.type, Real{parts->high}),
                                                           make(copy.type, Real{parts->low})});
      } else if (const ExprPtr reciprocal = reciprocal_of(division->args[1])) {
        division->function = Fn::quotient_by;
        division->args.insert(division->args.begin() + 2, reciprocal);
      }
    }
    return std::make_shared<const Expr>(std::move(copy));
  }
  ExprPtr reciprocal_of(const ExprPtr& divisor) {
    const Type type = divisor->type;
    if (const auto* number = as<Real>(divisor))
      return make(type, Real{type == Type::f64
                                 ? 1 / number->value
                                 : static_cast<double>(1 / static_cast<float>(number->value))});
    const auto* var = as<Var>(divisor);
    if (!var || !params_.contains(var->name)) return nullptr;
    const std::string name =
        value("inverse_" + var->name, bin(BinOp::div, make(type, Real{1}), divisor));
    prepared_[name] = type;
    return kernel::var(name, type);
  }
  void prepare(Body& body) {
    for (Stmt& stmt : body) {
      if (auto* let = std::get_if<Let>(&stmt.node)) {
        let->value = with_reciprocals(let->value);
      } else if (auto* assign = std::get_if<Assign>(&stmt.node)) {
        assign->value = with_reciprocals(assign->value);
      } else if (auto* store = std::get_if<Store>(&stmt.node)) {
        store->value = with_reciprocals(store->value);
      } else if (auto* branch = std::get_if<If>(&stmt.node)) {
        branch->condition = with_reciprocals(branch->condition);
        prepare(branch->yes);
        prepare(branch->no);
      } else if (auto* loop = std::get_if<For>(&stmt.node)) {
        prepare(loop->body);
      } else if (auto* variants = std::get_if<Variants>(&stmt.node)) {
        prepare(variants->body);
      } else if (auto* local = std::get_if<Local>(&stmt.node)) {
        prepare(local->body);
      } else if (auto* fast = std::get_if<FastDivision>(&stmt.node)) {
        prepare(fast->body);
      }
    }
  }

  Module& module_;
  std::set<std::string> params_;              // and launch values
  std::set<std::string> integers_;            // params
  std::set<std::string> taken_;               // names of kernels
  std::map<std::string, std::string> known_;  // launch values by their text
  std::map<std::string, std::string> names_;  // of launch values, by those of the kernel
  std::map<std::string, std::set<std::string>> made_of_;  // launch values: of which params
  std::map<std::string, Type> prepared_;                  // reciprocals that the kernel takes
};

}  // namespace

void hoist_launch_values(Module& module) { LaunchValues(module).hoist(); }

void prepare_divisors(Module& module) { LaunchValues(module).prepare_divisors(); }

}  // namespace stencilc::passes
