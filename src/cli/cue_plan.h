// From the arguments of an `opm cue` command to the values that it works on, one after the
// other: packages, CUE files, data files put together with them or checked one by one,
// and the expressions asked for within each.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/cue_flags.h"
#include "cli/module_chain.h"
#include "cli/session.h"
#include "cue/load/file_type.h"
#include "cue/value.h"

namespace opm::cli {

// What the command is for decides what it writes by default.
enum class CueMode : std::uint8_t { check, evaluate, export_data, definition };

struct OutputFile {
  std::string path;  // "-": standard output
  cue::load::FileType type;
};

class CuePlan {
 public:
  struct Item {
    cue::Value value;
    std::string id;              // the import path of the package, or "_"
    std::string hidden_package;  // what its hidden fields belong to
    std::string package_name;    // empty: it is no package, but an expression within one
    std::size_t expression = 0;  // which one, of those asked for
    std::size_t number = 0;      // from 0
  };

  // Loads everything. Errors are with the plan: run() returns them.
  CuePlan(Session& session, const CueFlags& flags, CueMode mode);
  ~CuePlan();

  // Calls `work` for each value; it returns errors to end with. What this returns is not
  // printed yet. Everything runs on a stack that is large enough to evaluate.
  cue::Diagnostics run(const std::function<cue::Diagnostics(const Item&)>& work);

  const OutputFile& output() const { return output_; }
  const diag::SourceMap& sources() const;
  const std::string& working_directory() const { return working_directory_; }
  bool checks_data_files() const { return streams_; }
  bool has_schema() const { return schema_.has_value(); }
  std::size_t package_count() const { return packages_.size(); }

 private:
  using Errors = cue::Diagnostics;
  std::expected<void, Errors> prepare();
  std::expected<void, Errors> load();
  std::expected<void, Errors> open_modules();
  std::expected<void, Errors> choose_output();
  std::expected<void, Errors> evaluate_schema();
  std::expected<void, Errors> renew_context();
  void make_context();
  std::string shown_name(const cue::load::DataFile& file) const;
  // What the schema makes of a document that mirrors a message of Protocol Buffers.
  std::expected<data::Value, Errors> shaped(const cue::load::DataFile& file, data::Value document,
                                            const std::vector<std::string>& labels);
  std::expected<void, Errors> place_documents();
  Errors visit_packages(const std::function<Errors(const Item&)>& work);
  Errors visit_documents(const std::function<Errors(const Item&)>& work);
  Errors visit(cue::Value value, const std::string& id, const std::function<Errors(const Item&)>& work);

  Session& session_;
  const CueFlags& flags_;
  CueMode mode_;
  std::string working_directory_;
  OutputFile output_;
  std::unique_ptr<ModuleChain> modules_;
  diag::SourceMap no_sources_;  // until a program is there
  std::shared_ptr<const cue::Program> program_;
  std::unique_ptr<cue::Context> context_;

  std::vector<std::size_t> packages_;         // instances that are packages, or not joined with data
  std::optional<std::size_t> schema_instance_;  // the one that data files are put together with
  std::vector<const cue::load::DataFile*> data_files_;
  std::optional<cue::Value> schema_;
  std::optional<cue::Value> data_;  // data files put together
  bool streams_ = false;            // data files are checked one by one
  std::string id_ = "_";            // of what data files are put together with
  std::size_t visited_ = 0;
};

}  // namespace opm::cli
