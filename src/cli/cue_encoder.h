// Writes values in the encoding that was asked for, to standard output or, once all is well,
// to a file.
#pragma once

#include <string>
#include <string_view>

#include "cli/cue_plan.h"
#include "cli/session.h"
#include "cue/value.h"

namespace opm::cli {

struct EncoderOptions {
  bool force = false;        // replace a file that exists
  bool escape_html = false;  // in JSON
  CueMode mode = CueMode::export_data;
  bool inline_imports = false;  // of definitions
  std::string package_name;    // of CUE that is written
  std::string hidden_package = "_";
};

class CueEncoder {
 public:
  CueEncoder(Session& session, const EncoderOptions& options) : session_(session), options_(options) {}

  // The error if values can't be written so.
  cue::Diagnostics open(const OutputFile& file);
  // Of CUE that is written from now on.
  void set_package(std::string name, std::string hidden) {
    options_.package_name = std::move(name);
    options_.hidden_package = std::move(hidden);
  }
  // Whether values have to be concrete to be written.
  bool is_concrete() const;
  // The value is checked first.
  cue::Diagnostics encode(const cue::Value& value);
  // CUE source. `title`: a comment above it, where many are written.
  void encode_source(std::string_view source, std::string_view title);
  // Writes the file.
  cue::Diagnostics close();

 private:
  cue::Diagnostics encode_cue(const cue::Value& value);
  // As the schema of another language.
  cue::Diagnostics encode_schema(const cue::Value& value);
  // `value`: what the data was made of, for messages.
  cue::Diagnostics encode_data(const cue::Value& value, const data::Value& data);
  cue::Diagnostics write_through(const std::string& path);
  void write(std::string_view text);

  Session& session_;
  EncoderOptions options_;
  OutputFile file_;
  std::string pending_;  // what the file will hold
  bool is_first_ = true;
};

}  // namespace opm::cli
