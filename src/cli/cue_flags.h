// The flags that the `opm cue` commands share. They are those of `cue`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/cue_errors.h"

namespace opm::cli {

struct CueFlags {
  ErrorStyle errors;
  std::vector<std::string> arguments;  // packages, files, "-" and qualifiers such as "yaml:"

  // all commands
  bool simplify = false;
  bool ignore = false;      // -i: go on in spite of errors
  bool verbose = false;
  bool all_errors = false;  // all are always told
  bool trace = false;
  std::optional<std::string> registry;  // where modules come from that are not built in
  bool no_builtin = false;  // without the catalog that opm has built in

  // those that load packages
  int max_steps = 0;  // 0: the engine's own budget
  std::vector<std::string> tags;
  bool inject_variables = false;
  std::string package;  // of the output, where that is CUE
  std::string schema;   // -d: what data files are checked against
  std::vector<std::string> path;  // -l: where data files are put
  std::vector<std::string> proto_path;  // -I: where imports of .proto files are looked for
  bool list = false;
  bool with_context = false;
  bool merge = true;  // data files are put together rather than taken one after the other
  std::string name_filter;

  // those that write
  std::string out;       // the encoding
  std::string out_file;
  bool force = false;
  std::vector<std::string> expressions;
};

void declare_global_flags(const Command& command, CueFlags& flags);
void declare_input_flags(const Command& command, CueFlags& flags);
void declare_output_flags(const Command& command, CueFlags& flags, bool with_encoding);

}  // namespace opm::cli
