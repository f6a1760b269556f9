#include "check/front_end/syntax.h"

#include <clang/Frontend/FrontendActions.h>

#include <algorithm>

#include "check/front_end/front_end.h"

namespace stencilc::check {

std::vector<std::string> syntax_findings(const Source& source) {
  std::vector<Pass> passes = {Pass::cpp};
  if (source.name.ends_with(".cu")) passes = {Pass::cuda_host, Pass::cuda_device};
  if (source.name.ends_with(".h")) passes = {Pass::header, Pass::cuda_host, Pass::cuda_device};

  std::vector<std::string> findings;
  for (const Pass pass : passes) {
    clang::SyntaxOnlyAction action;
    for (auto& finding : run_front_end(source, pass, Warnings::all, action)) {
      if (std::find(findings.begin(), findings.end(), finding) == findings.end())
        findings.push_back(std::move(finding));
    }
  }
  return findings;
}

}  // namespace stencilc::check
