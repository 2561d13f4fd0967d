#include "cue/module/module_file.h"

#include "cue/syntax/format.h"
#include "cue/syntax/literal.h"
#include "cue/syntax/parser.h"

namespace opm::cue::module {
namespace {

class Writer {
 public:
  std::string write(const ModuleFile& file) {
    field("module", syntax::quote(file.has_major_version ? file.path : std::string(file.base_path())));
    open("language");
    field("version", syntax::quote(file.language_version));
    close();
    if (!file.source_kind.empty()) {
      open("source");
      field("kind", syntax::quote(file.source_kind));
      close();
    }
    if (!file.description.empty()) field("description", syntax::quote(file.description));
    if (!file.dependencies.empty()) {
      open("deps");
      for (const Dependency& dependency : file.dependencies) {
        open(syntax::quote(dependency.module.path));
        field("v", syntax::quote(dependency.module.version));
        if (dependency.is_default) field("default", "true");
        close();
      }
      close();
    }
    if (file.custom.is_map()) member("custom", file.custom);
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += std::string(depth_, '\t') + text + "\n"; }
  void field(const std::string& label, const std::string& value) { line(label + ": " + value); }
  void open(const std::string& label) {
    line(label + ": {");
    ++depth_;
  }
  void close() {
    --depth_;
    line("}");
  }

  void member(const std::string& label, const data::Value& value) {
    text_ += std::string(depth_, '\t') + label + ": ";
    append(value);
    text_ += "\n";
  }

  // Other tools keep their own data there, in an order that means nothing.
  void append(const data::Value& value) {
    if (value.is_map()) {
      if (value.as_map().empty()) {
        text_ += "{}";
        return;
      }
      text_ += "{\n";
      ++depth_;
      for (const data::Member* entry : data::sorted_members(value.as_map()))
        member(syntax::quote_label(entry->key), entry->value);
      --depth_;
      text_ += std::string(depth_, '\t') + "}";
    } else if (value.is_list()) {
      text_ += "[";
      bool is_first = true;
      for (const data::Value& element : value.as_list()) {
        if (!is_first) text_ += ", ";
        is_first = false;
        append(element);
      }
      text_ += "]";
    } else if (value.is_string()) {
      text_ += syntax::quote(value.as_string());
    } else if (value.is_bytes()) {
      text_ += syntax::quote_bytes(value.as_bytes().bytes);
    } else if (value.is_number()) {
      text_ += value.as_number().text;
    } else if (value.is_bool()) {
      text_ += value.as_bool() ? "true" : "false";
    } else {
      text_ += "null";
    }
  }

  std::string text_;
  unsigned depth_ = 0;
};

}  // namespace

std::string write_module_file(const ModuleFile& file) {
  // Columns are the formatter's matter.
  diag::SourceMap sources;
  base::Arena arena;
  const diag::Source* source = sources.add("module.cue", Writer().write(file));
  syntax::ParsedFile parsed = syntax::parse_file(arena, *source);
  return syntax::format(*parsed.file);
}

}  // namespace opm::cue::module
