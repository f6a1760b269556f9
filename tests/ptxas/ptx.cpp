#include "ptxas/ptx.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <regex>
#include <set>
#include <stdexcept>

#include "ptxas/log.h"

namespace stencilc::ptxas {
namespace {

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\n\r");
  if (begin == std::string::npos) return "";
  return text.substr(begin, text.find_last_not_of(" \t\n\r") + 1 - begin);
}

std::string without_comments(const std::string& text) {
  std::string result;
  for (size_t i = 0; i < text.size();)
    if (text.compare(i, 2, "//") == 0)
      i = std::min(text.find('\n', i), text.size());
    else if (text.compare(i, 2, "/*") == 0)
      i = std::min(text.find("*/", i + 2), text.size() - 2) + 2;
    else
      result += text[i++];
  return result;
}

// At commas that stand in no bracket.
std::vector<std::string> operands_of(const std::string& text) {
  std::vector<std::string> operands;
  int depth = 0;
  std::string operand;
  for (const char c : text + ",") {
    if (c == ',' && depth == 0) {
      if (!trimmed(operand).empty()) operands.push_back(trimmed(operand));
      operand.clear();
      continue;
    }
    depth += c == '{' || c == '[' || c == '(';
    depth -= c == '}' || c == ']' || c == ')';
    operand += c;
  }
  return operands;
}

Instruction instruction_of(std::string text) {
  Instruction result;
  if (text[0] == '@') {
    const size_t end = text.find_first_of(" \t\n");
    result.guard = text.substr(0, end);
    text = trimmed(text.substr(end));
  }
  const size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  result.opcode = text.substr(0, end);
  result.operands = operands_of(text.substr(end));
  return result;
}

// Takes braces of scopes and labels from the front of a statement.
std::vector<std::string> labels_before(std::string& statement) {
  std::vector<std::string> labels;
  for (;;) {
    statement = trimmed(statement);
    if (statement.starts_with('{') || statement.starts_with('}')) {
      statement.erase(0, 1);
      continue;
    }
    const size_t end =
        std::find_if_not(statement.begin(), statement.end(), is_word) - statement.begin();
    if (end == 0 || end == statement.size() || statement[end] != ':') return labels;
    labels.push_back(statement.substr(0, end));
    statement.erase(0, end + 1);
  }
}

bool ends_block(const Instruction& instruction) {
  return has_part(instruction, "bra") || instruction.opcode == "ret" ||
         instruction.opcode == "exit" || instruction.opcode == "trap";
}

// Sets `next` of all blocks, `labels` being where labels stand.
void connect(Kernel& kernel, const std::map<std::string, size_t>& labels) {
  for (size_t i = 0; i < kernel.blocks.size(); ++i) {
    Block& block = kernel.blocks[i];
    const Instruction* last = block.instructions.empty() ? nullptr : &block.instructions.back();
    const bool ends = last != nullptr && ends_block(*last);
    if (ends && has_part(*last, "bra")) block.next.push_back(labels.at(last->operands.at(0)));
    if ((!ends || !last->guard.empty()) && i + 1 < kernel.blocks.size())
      block.next.push_back(i + 1);
  }
}

void read_body(const std::string& body, Kernel& kernel) {
  std::map<std::string, size_t> labels;
  kernel.blocks.emplace_back();
  size_t begin = 0;
  for (size_t end; (end = body.find(';', begin)) != std::string::npos; begin = end + 1) {
    std::string statement = body.substr(begin, end - begin);
    for (const std::string& label : labels_before(statement)) {
      if (!kernel.blocks.back().instructions.empty()) kernel.blocks.emplace_back();
      labels[label] = kernel.blocks.size() - 1;
    }
    if (statement.empty()) continue;
    if (statement[0] == '.') {
      kernel.local = kernel.local || statement.starts_with(".local");
      continue;
    }
    const Instruction instruction = instruction_of(statement);
    if (instruction.opcode.starts_with("brx"))
      throw std::runtime_error("tables of branches are not read");
    kernel.blocks.back().instructions.push_back(instruction);
    if (ends_block(instruction)) kernel.blocks.emplace_back();
  }
  connect(kernel, labels);
}

size_t closing_brace(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '{';
    depth -= text[i] == '}';
    if (depth == 0) return i;
  }
  throw std::runtime_error("a kernel of the PTX has no end");
}

int threads_of(const std::string& head) {
  static const std::regex bounds(
      "\\.(?:maxntid|reqntid)\\s+(\\d+)(?:,\\s*(\\d+))?(?:,\\s*(\\d+))?");
  std::smatch found;
  if (!std::regex_search(head, found, bounds)) return 0;
  int threads = 1;
  for (size_t i = 1; i < found.size(); ++i)
    if (found[i].matched) threads *= std::stoi(found[i]);
  return threads;
}

}  // namespace

std::vector<Kernel> read_ptx(const std::string& text) {
  const std::string all = without_comments(text);
  std::vector<Kernel> kernels;
  static const std::regex word("\\.(entry|func) ");
  std::smatch found;
  for (size_t at = 0;
       std::regex_search(all.begin() + static_cast<std::ptrdiff_t>(at), all.end(), found, word);) {
    const size_t begin = at + static_cast<size_t>(found.position(0) + found.length(0));
    const size_t open = all.find('{', begin), end = all.find(';', begin);
    at = begin;
    if (found[1] == "func" &&
        (end < open ||
         !is_called(kernel_name(trimmed(all.substr(begin, all.find('(', begin) - begin))))))
      continue;
    const size_t close = closing_brace(all, open);
    const std::string head = all.substr(begin, open - begin);
    Kernel kernel;
    kernel.name = kernel_name(trimmed(head.substr(0, head.find('('))));
    kernel.threads = threads_of(head);
    read_body(all.substr(open + 1, close - open - 1), kernel);
    kernels.push_back(std::move(kernel));
    at = close;
  }
  return kernels;
}

bool in_loop(const Kernel& kernel, size_t block) {
  std::set<size_t> seen;
  std::vector<size_t> open = kernel.blocks[block].next;
  while (!open.empty()) {
    const size_t at = open.back();
    open.pop_back();
    if (at == block) return true;
    if (!seen.insert(at).second) continue;
    open.insert(open.end(), kernel.blocks[at].next.begin(), kernel.blocks[at].next.end());
  }
  return false;
}

std::vector<std::string> registers_of(const std::string& operand) {
  std::vector<std::string> registers;
  for (size_t at = 0; (at = operand.find('%', at)) != std::string::npos;) {
    size_t end = at + 1;
    while (end < operand.size() && (is_word(operand[end]) || operand[end] == '.')) ++end;
    registers.push_back(operand.substr(at, end - at));
    at = end;
  }
  return registers;
}

bool defines(const Instruction& instruction) {
  static const std::set<std::string> others = {"st",  "bra",   "ret",  "exit", "trap",    "bar",
                                               "red", "fence", "call", "cp",   "prefetch"};
  const std::string& opcode = instruction.opcode;
  return !instruction.operands.empty() && others.count(opcode.substr(0, opcode.find('.'))) == 0;
}

std::string shown(const Instruction& instruction) {
  std::string text = instruction.guard.empty() ? "" : instruction.guard + " ";
  text += instruction.opcode;
  for (size_t i = 0; i < instruction.operands.size(); ++i)
    text += (i == 0 ? " " : ", ") + instruction.operands[i];
  return text;
}

bool has_part(const Instruction& instruction, const std::string& part) {
  const std::string dotted = "." + instruction.opcode + ".";
  return dotted.find("." + part + ".") != std::string::npos;
}

}  // namespace stencilc::ptxas
