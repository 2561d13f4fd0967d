#include "cli/command_cue_import.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "base/file_system.h"
#include "base/file_writer.h"
#include "base/path.h"
#include "cli/cue_errors.h"
#include "cli/cue_flags.h"
#include "cli/cue_placement.h"
#include "cli/standard_input.h"
#include "cue/eval/regular_expression.h"
#include "cue/load/decode.h"
#include "cue/schema/json_schema.h"
#include "cue/schema/protobuf.h"
#include "cue/syntax/format.h"
#include "cue/syntax/literal.h"
#include "cue/value.h"

namespace opm::cli {
namespace {

namespace load = cue::load;
namespace schema = cue::schema;
namespace syntax = cue::syntax;
using cue::Diagnostics;

constexpr std::string_view kModes[] = {"json", "yaml",       "toml",    "text", "binary",
                                       "auto", "jsonschema", "openapi", "data", "proto"};

struct Options {
  CueFlags flags;
  std::vector<std::string> extensions;
  std::string proto_enum = "int";
  bool files = false;
  bool dry_run = false;
  bool recursive = false;
};

// A file to import, and the package that it becomes part of.
struct Input {
  load::DataFile file;
  std::string package;
};

class Import {
 public:
  Import(Session& session, const Options& options) : session_(session), options_(options) {
    std::error_code error;
    folder_ = std::filesystem::current_path(error).string();
  }

  ExitCode run() {
    Diagnostics errors;
    cue::run_on_large_stack([&] { errors = import(); });
    if (errors.empty()) return ExitCode::success;
    return print_errors(session_, program_->sources(), std::move(errors), folder_, options_.flags.errors);
  }

 private:
  using Inputs = std::expected<std::vector<Input>, Diagnostics>;

  Diagnostics import() {
    program_ = cue::Program::from_text("import", "");
    context_ = std::make_unique<cue::Context>(program_);
    std::vector<std::string> arguments = options_.flags.arguments;
    if (!arguments.empty() && std::ranges::find(kModes, arguments[0]) != std::end(kModes)) {
      mode_ = arguments[0];
      arguments.erase(arguments.begin());
    }
    bool needs_extension = mode_ == "text" || mode_ == "binary";
    if (needs_extension && options_.extensions.empty())
      return one_error(fmt::format("use of --ext flag required in {} mode", mode_));
    if (arguments.empty()) arguments.push_back(".");
    auto inputs = find(arguments);
    if (!inputs) return std::move(inputs.error());
    for (const Input& input : *inputs) {
      Diagnostics errors = input.file.type.encoding == load::Encoding::protobuf ? import_protobuf(input) : import_file(input);
      if (!errors.empty()) return errors;
    }
    return {};
  }

  // ---- what to import ----
  Inputs find(const std::vector<std::string>& arguments) {
    std::vector<Input> inputs;
    load::SplitArguments split = load::split_arguments(arguments);
    if (!options_.flags.name_filter.empty() && split.packages.empty())
      return std::unexpected(one_error("use of -n/--name flag without a directory"));
    load::LoadOptions loading;
    loading.directory = folder_;
    loading.data_files = true;
    loading.skip_imports = true;
    loading.comments = false;
    load::LoadResult loaded;
    if (!split.packages.empty()) {
      loaded = load::load(split.packages, loading, program_->mutable_sources());
      if (!loaded.errors.empty()) return std::unexpected(std::move(loaded.errors));
    } else {
      loaded = load::load({"."}, loading, program_->mutable_sources());
      loaded.instances.clear();
    }
    if (loaded.main_module) {
      module_root_ = loaded.module_root;
      module_path_ = loaded.main_module->base_path();
    }
    auto names = cue::eval::RegularExpression::compile(options_.flags.name_filter);
    if (!names) return std::unexpected(one_error(std::move(names.error())));
    std::set<std::string> seen;
    for (load::PackageId id : loaded.instances) {
      const load::Package& package = loaded.package(id);
      std::string name = package.name == "_" ? "" : package.name;
      auto entries = base::real_file_system().list_directory(package.directory);
      if (!entries) continue;
      for (const base::DirectoryEntry& entry : *entries) {
        std::string path = base::join_path(package.directory, entry.name);
        if (entry.kind == base::FileKind::directory || entry.name.starts_with('.') || !seen.insert(path).second) continue;
        auto type = type_of(entry.name);
        if (!type || !names->matches(entry.name)) continue;
        if (mode_ != "proto" && name.empty() && options_.flags.package.empty() && loaded.instances.size() > 1)
          return std::unexpected(one_error("must specify package name with the -p flag"));
        inputs.push_back({{path, *type, &base::real_file_system(), nullptr}, package_for(name)});
      }
    }
    if (split.files.empty()) return inputs;
    auto files = load::parse_file_arguments(split.files);
    if (!files) return std::unexpected(one_error(std::move(files.error())));
    for (const load::FileArgument& file : *files) {
      load::DataFile data{file.name, file.type, &base::real_file_system(), nullptr};
      if (!mode_.empty()) {
        if (auto type = type_of(base::base_name(file.name))) data.type = *type;
      }
      if (file.name == "-") {
        auto text = read_standard_input();
        if (!text) return std::unexpected(one_error("read stdin: " + text.error()));
        data.source = program_->mutable_sources().add("-", std::move(*text));
      } else {
        data.path = base::join_path(folder_, file.name);
      }
      inputs.push_back({std::move(data), options_.flags.package});
    }
    return inputs;
  }

  std::string package_for(const std::string& found) const {
    return options_.flags.package.empty() ? found : options_.flags.package;
  }

  // How a file is read in the mode that was asked for; nothing: it is left alone.
  std::optional<load::FileType> type_of(std::string_view name) const {
    std::size_t dot = name.rfind('.');
    std::string extension(dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1));
    bool is_named = std::ranges::find(options_.extensions, extension) != options_.extensions.end();
    if (!options_.extensions.empty() && !is_named) return std::nullopt;
    load::Qualifier qualifier;
    bool is_encoding = mode_ == "json" || mode_ == "yaml" || mode_ == "toml" || mode_ == "text" || mode_ == "binary";
    if (is_encoding && is_named) qualifier.types.push_back(mode_);
    auto type = load::file_type(name, qualifier);
    if (!type) return std::nullopt;
    using load::Encoding;
    using load::Interpretation;
    bool is_proto = type->encoding == Encoding::protobuf;
    if (mode_ == "proto" || is_proto) return mode_ == "proto" && is_proto ? std::optional(*type) : std::nullopt;
    if (is_encoding && !is_named && load::encoding_name(type->encoding) != mode_) return std::nullopt;
    bool is_data = type->encoding == Encoding::json || type->encoding == Encoding::json_lines ||
                   type->encoding == Encoding::yaml || type->encoding == Encoding::toml;
    if (!is_data && !is_named) return std::nullopt;
    if (mode_ == "jsonschema") type->interpretation = Interpretation::json_schema;
    else if (mode_ == "openapi") type->interpretation = Interpretation::openapi;
    else if (mode_.empty() || mode_ == "auto") type->interpretation = Interpretation::automatic;
    else type->interpretation = Interpretation::none;
    return *type;
  }

  std::string shown(const std::string& path) const {
    if (path == "-") return path;
    std::string relative = base::relative_path(folder_, path);
    return relative.starts_with('.') ? relative : "./" + relative;
  }

  // ---- data and schemas ----
  Diagnostics import_file(const Input& input) {
    load::DataFile file = input.file;
    if (file.source == nullptr) {
      auto content = file.files->read_file(file.path);
      if (!content) return one_error("open " + shown(file.path) + ": " + content.error().message);
      file.source = program_->mutable_sources().add(shown(file.path), std::move(*content));
      if (file.source == nullptr) return one_error("open " + shown(file.path) + ": too much source text");
    }
    auto documents = load::decode(file.type.encoding, *file.source);
    if (!documents) {
      for (diag::Diagnostic& error : documents.error()) {
        if (error.code == "json-syntax")
          error.message = "invalid JSON for file " + syntax::quote(shown(file.path)) + ": " + error.message;
      }
      return std::move(documents.error());
    }
    // A file without content is null.
    if (documents->empty() && file.type.encoding == load::Encoding::yaml) documents->emplace_back();
    const CueFlags& flags = options_.flags;
    bool places = !flags.path.empty() || flags.list || options_.files;
    if (documents->size() > 1 && !places)
      return one_error("path, list, or files flag needed to handle multiple objects in file " + shown(file.path));
    // Where labels are taken from the documents, one that holds nothing has none.
    if (!flags.path.empty() && !flags.with_context) std::erase_if(*documents, [](const data::Value& value) { return value.is_null(); });
    std::vector<std::string> texts;
    bool is_data = std::ranges::all_of(*documents, [&](const data::Value& document) {
      return language_of(file.type, document) == schema::Language::none;
    });
    if (is_data) {
      auto written = write_data(file, std::move(*documents), input.package);
      if (!written) return std::move(written.error());
      texts = std::move(*written);
    } else {
      for (const data::Value& document : *documents) {
        auto written = write_schema(input, file, document, language_of(file.type, document));
        if (!written) return std::move(written.error());
        texts.push_back(std::move(*written));
      }
    }
    if (!options_.files) {
      std::string all;
      for (const std::string& text : texts) all += text;
      return write(cue_name(file.path, 0), all);
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (Diagnostics errors = write(cue_name(file.path, i), texts[i]); !errors.empty()) return errors;
    }
    return {};
  }

  static schema::Language language_of(const load::FileType& type, const data::Value& document) {
    switch (type.interpretation) {
      case load::Interpretation::automatic: return schema::detect(document);
      case load::Interpretation::json_schema: return schema::Language::json_schema;
      case load::Interpretation::openapi: return schema::Language::openapi;
      default: return schema::Language::none;
    }
  }

  PlacementOptions placement() const {
    PlacementOptions placing;
    placing.labels = options_.flags.path;
    placing.list = options_.flags.list;
    placing.with_context = options_.flags.with_context;
    return placing;
  }

  // A text for each document, or one where all of them are put together.
  std::expected<std::vector<std::string>, Diagnostics> write_data(const load::DataFile& file, std::vector<data::Value> documents,
                                                                  const std::string& package) {
    auto keep = [](data::Value document, const std::vector<std::string>&) -> std::expected<data::Value, Diagnostics> {
      return document;
    };
    auto placed = place(*context_, std::move(documents), file.path, placement(), keep);
    if (!placed) return std::unexpected(std::move(placed.error()));
    cue::SourceSettings settings;
    settings.simplify_labels = true;
    settings.definitions = settings.hidden = true;
    std::vector<std::string> texts;
    for (PlacedDocument& document : *placed) {
      settings.package_name = texts.empty() || options_.files ? package : "";
      std::vector<PlacedDocument> one;
      one.push_back(std::move(document));
      texts.push_back(together(*context_, std::move(one)).to_cue(settings));
    }
    return texts;
  }

  std::expected<std::string, Diagnostics> write_schema(const Input& input, const load::DataFile& file,
                                                       const data::Value& document, schema::Language language) {
    base::Arena arena;
    schema::JsonSchemaOptions reading;
    auto flag = [&](const char* name) { auto at = file.type.flags.find(name); return at != file.type.flags.end() && at->second; };
    reading.package_name = input.package;
    reading.strict_keywords = flag("strict") || flag("strictKeywords");
    reading.strict_features = flag("strict") || flag("strictFeatures");
    reading.open_only_when_explicit = flag("openOnlyWhenExplicit");
    if (language == schema::Language::none) return std::unexpected(one_error("data and schemas in one file: " + shown(file.path)));
    auto made = language == schema::Language::openapi ? schema::read_openapi(arena, *file.source, document, reading)
                                                      : schema::read_json_schema(arena, *file.source, document, reading);
    if (!made) return std::unexpected(std::move(made.error()));
    if (auto labels = labels_for(file, document); !labels) return std::unexpected(std::move(labels.error()));
    else if (!labels->empty()) schema::place_below(arena, **made, *labels);
    return text_of(**made);
  }

  // Labels that are expressions see the document only as `data`.
  std::expected<std::vector<std::string>, Diagnostics> labels_for(const load::DataFile& file, const data::Value& document) {
    std::vector<std::string> found;
    if (options_.flags.path.empty()) return found;
    auto keep = [&](data::Value value, const std::vector<std::string>& labels) -> std::expected<data::Value, Diagnostics> {
      found = labels;
      return value;
    };
    std::vector<data::Value> seen(1);
    if (options_.flags.with_context) seen[0] = document;
    else seen[0].variant = data::Map{};
    auto placed = place(*context_, std::move(seen), file.path, placement(), keep);
    if (!placed) return std::unexpected(std::move(placed.error()));
    return found;
  }

  static std::string text_of(syntax::File& file) {
    file.source = nullptr;  // it is laid out anew
    syntax::FormatOptions layout;
    layout.simplify = true;
    std::string text = syntax::format(file, layout);
    text.erase(0, std::min(text.find_first_not_of('\n'), text.size()));
    return text;
  }

  // ---- Protocol Buffers ----
  Diagnostics import_protobuf(const Input& input) {
    std::vector<std::string> waiting{input.file.path};
    while (!waiting.empty()) {
      std::string path = std::move(waiting.back());
      waiting.pop_back();
      if (!imported_.insert(path).second) continue;
      auto content = base::real_file_system().read_file(path);
      if (!content) return one_error("open " + shown(path) + ": " + content.error().message);
      const diag::Source* source = program_->mutable_sources().add(shown(path), std::move(*content));
      if (source == nullptr) return one_error("open " + shown(path) + ": too much source text");
      schema::ProtoOptions reading;
      reading.package_name = options_.flags.package;
      reading.enums_as_numbers = options_.proto_enum == "int";
      reading.files = &base::real_file_system();
      if (!module_root_.empty()) reading.roots.push_back(module_root_);
      for (const std::string& root : options_.flags.proto_path) reading.roots.push_back(base::join_path(folder_, root));
      base::Arena arena;
      auto made = schema::read_protobuf(arena, program_->mutable_sources(), *source, reading);
      if (!made) return std::move(made.error());
      waiting.insert(waiting.end(), made->imports.begin(), made->imports.end());
      std::string root = module_root_.empty() ? folder_ : module_root_;
      bool is_own = base::is_within(path, root) && base::is_within(made->package_path, module_path_);
      if (!is_own && made->package_path.empty())
        return one_error("no package clause for proto package in file " + shown(path));
      std::string folder = is_own ? base::parent_path(path) : base::join_path(root, "cue.mod/gen/" + made->package_path);
      std::string name(base::base_name(path));
      if (name.ends_with(".proto")) name.resize(name.size() - 6);
      bool is_generated = base::is_within(folder, base::join_path(root, "cue.mod/gen"));
      bool force = options_.flags.force && (options_.recursive || !is_generated);
      Diagnostics errors = write(base::join_path(folder, name + "_proto_gen.cue"), text_of(*made->syntax), force, root);
      if (!errors.empty()) return errors;
    }
    return {};
  }

  // ---- output ----
  static std::string cue_name(const std::string& path, std::size_t number) {
    if (path == "-") return path;
    std::string_view name = base::base_name(path);
    std::size_t dot = name.rfind('.');
    std::string stem = path.substr(0, path.size() - (dot == std::string_view::npos ? 0 : name.size() - dot));
    return number == 0 ? stem + ".cue" : fmt::format("{}-{}.cue", stem, number);
  }

  Diagnostics write(const std::string& path, const std::string& text) { return write(path, text, options_.flags.force, ""); }

  Diagnostics write(std::string path, const std::string& text, bool force, const std::string& shown_from) {
    if (!options_.flags.out_file.empty())
      path = options_.flags.out_file == "-" ? "-" : base::join_path(folder_, options_.flags.out_file);
    if (path == "-" && !options_.dry_run) {
      session_.out.write(text);
      return {};
    }
    if (path != "-" && !force && base::real_file_system().status(path)) {
      std::string name = base::relative_path(shown_from.empty() ? folder_ : shown_from, path);
      session_.err.print("Skipping file {}: already exists.\nUse {} to override.\n", syntax::quote(name),
                         name.starts_with("cue.mod") ? "-Rf" : "-f");
      return {};
    }
    if (options_.dry_run) {
      session_.err.print("importing into {}\n", base::relative_path(folder_, path));
      return {};
    }
    std::error_code error;
    std::filesystem::create_directories(base::parent_path(path), error);
    auto written = base::real_file_writer().write_file(path, text);
    if (!written) return one_error("open " + shown(path) + ": " + written.error().message);
    return {};
  }

  Session& session_;
  const Options& options_;
  std::string folder_;
  std::string mode_;
  std::string module_root_;  // empty: no module
  std::string module_path_;
  std::set<std::string> imported_;  // .proto files
  std::shared_ptr<const cue::Program> program_;
  std::unique_ptr<cue::Context> context_;
};

}  // namespace

void add_cue_import_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("import", "Convert other formats to CUE files");
  command.option("-o,--outfile", options->flags.out_file, "FILE", "File to write, or - for standard output")
      .flag("-f,--force", options->flags.force, "Overwrite existing files")
      .flag("--dry-run", options->dry_run, "Only tell which files would be written")
      .flag("--files", options->files, "Make a file of each object")
      .flag("-R,--recursive", options->recursive, "With -f, overwrite files below cue.mod as well")
      .option("--ext", options->extensions, "EXTENSION", "Files with this extension are read in the mode that is named")
      .choice("--proto_enum", options->proto_enum, {"int", "json"}, "Enums as numbers or as names");
  declare_global_flags(command, options->flags);
  declare_input_flags(command, options->flags);
  command.run([&session, options] { return Import(session, *options).run(); });
}

}  // namespace opm::cli
