// The words of the Language Server Protocol as JSON trees.
#pragma once

#include <string>
#include <string_view>

#include "data/tree.h"
#include "lsp/checker.h"
#include "lsp/source_places.h"
#include "lsp/text_position.h"

namespace opm::lsp {

enum class ErrorCode : int {
  parse_error = -32700,
  invalid_request = -32600,
  method_not_found = -32601,
  invalid_params = -32602,
  internal_error = -32603,
  server_not_initialized = -32002,
  request_cancelled = -32800,
};

data::Value response(const data::Value& id, data::Value result);
data::Value error_response(const data::Value& id, ErrorCode code, std::string_view message);
data::Value notification(std::string_view method, data::Value parameters);

data::Value to_data(const TextPosition& position);
data::Value to_data(const TextRange& range);
data::Value to_data(const Place& place);  // a Location
data::Value to_data(const Finding& finding);

}  // namespace opm::lsp
