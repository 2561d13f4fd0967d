#include "lsp/protocol.h"

#include "data/build.h"
#include "lsp/uri.h"

namespace opm::lsp {

using data::integer;
using data::list;
using data::map;
using data::text;

namespace {

data::Value message(data::Value rest) {
  data::Value result = map({{"jsonrpc", text("2.0")}});
  for (data::Member& member : rest.as_map()) data::set(result, member.key, std::move(member.value));
  return result;
}

std::int64_t severity_number(diag::Severity severity) {
  switch (severity) {
    case diag::Severity::error:
      return 1;
    case diag::Severity::warning:
      return 2;
    case diag::Severity::note:
      return 3;
  }
  return 1;
}

}  // namespace

data::Value response(const data::Value& id, data::Value result) {
  return message(map({{"id", id}, {"result", std::move(result)}}));
}

data::Value error_response(const data::Value& id, ErrorCode code, std::string_view what) {
  return message(map(
      {{"id", id}, {"error", map({{"code", integer(static_cast<int>(code))}, {"message", text(std::string(what))}})}}));
}

data::Value notification(std::string_view method, data::Value parameters) {
  return message(map({{"method", text(std::string(method))}, {"params", std::move(parameters)}}));
}

data::Value to_data(const TextPosition& position) {
  return map({{"line", integer(position.line)}, {"character", integer(position.character)}});
}

data::Value to_data(const TextRange& range) {
  return map({{"start", to_data(range.start)}, {"end", to_data(range.end)}});
}

data::Value to_data(const Place& place) {
  return map({{"uri", text(uri_of_path(place.path))}, {"range", to_data(place.range)}});
}

data::Value to_data(const Finding& finding) {
  data::Value result = map({{"range", to_data(finding.range)},
                            {"severity", integer(severity_number(finding.severity))},
                            {"source", text("opm")},
                            {"message", text(finding.message)}});
  if (!finding.code.empty()) data::set(result, "code", text(finding.code));
  if (finding.related.empty()) return result;
  data::List related;
  for (const Finding::Related& other : finding.related)
    related.push_back(map({{"location", to_data(other.place)}, {"message", text(other.message)}}));
  data::set(result, "relatedInformation", list(std::move(related)));
  return result;
}

}  // namespace opm::lsp
