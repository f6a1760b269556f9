#include <nlohmann/json.hpp>
#include <string>

#include "diag/codes.h"
#include "diag/excerpt.h"
#include "diag/render.h"

namespace stencilc::diag {
namespace {

using Json = nlohmann::ordered_json;

Json span(Range at, const Sources& sources, bool primary) {
  const Source& source = sources[at.file];
  Position begin = position(source, at.begin);
  Position end = position(source, at.end);
  Excerpt shown = excerpt(source, at);
  return {{"file_name", source.name},
          {"byte_start", at.begin},
          {"byte_end", at.end},
          {"line_start", begin.line},
          {"line_end", end.line},
          {"column_start", begin.column},
          {"column_end", end.column},
          {"is_primary", primary},
          {"text", Json::array({{{"text", shown.line},
                                 {"highlight_start", shown.caret + 1},
                                 {"highlight_end", shown.caret + shown.width + 1}}})},
          {"label", nullptr},
          {"suggested_replacement", nullptr},
          {"suggestion_applicability", nullptr},
          {"expansion", nullptr}};
}

Json child(const char* level, const std::string& text, Json spans) {
  return {{"message", text},           {"code", nullptr},           {"level", level},
          {"spans", std::move(spans)}, {"children", Json::array()}, {"rendered", nullptr}};
}

const char* level(Severity severity) {
  switch (severity) {
    case Severity::note:
      return "note";
    case Severity::warning:
      return "warning";
    case Severity::error:
      return "error";
  }
  return "";
}

}  // namespace

std::string render_json(const Diagnostic& diagnostic, const Sources& sources) {
  Json children = Json::array();
  for (const Note& note : diagnostic.notes) {
    Json spans = Json::array();
    if (note.has_range) spans.push_back(span(note.at, sources, true));
    children.push_back(child("note", note.text, std::move(spans)));
  }
  for (const Help& help : diagnostic.helps) {
    Json spans = Json::array();
    if (help.has_edit) {
      spans.push_back(span(help.at, sources, true));
      spans.back()["suggested_replacement"] = help.replacement;
      spans.back()["suggestion_applicability"] = "MaybeIncorrect";
    }
    children.push_back(child("help", help.text, std::move(spans)));
  }
  const Row& known = row(diagnostic.code);
  Json spans = Json::array();
  if (diagnostic.at != nowhere) spans.push_back(span(diagnostic.at, sources, true));
  Json object = {{"message", diagnostic.text},
                 {"code", {{"code", id(diagnostic.code)}, {"explanation", known.explanation}}},
                 {"level", level(diagnostic.severity)},
                 {"spans", std::move(spans)},
                 {"children", std::move(children)},
                 {"rendered", render_gnu(diagnostic, sources, false)}};
  // Names and texts can contain invalid UTF-8, which JSON does not allow.
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace stencilc::diag
