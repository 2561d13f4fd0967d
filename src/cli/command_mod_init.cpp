#include "cli/command_mod_init.h"

#include <algorithm>
#include <memory>

#include "base/path.h"
#include "cli/configure.h"
#include "cli/write_folder.h"
#include "cue/module/import_path.h"
#include "opm/builtin/templates.h"

namespace opm::cli {
namespace {

// What the templates call themselves, in their names and in their text.
constexpr std::string_view kTemplateName = "my-module";
constexpr std::string_view kTemplateModule = "example.com/my-module@v0";
constexpr std::size_t kMaxNameLength = 63;

struct Options {
  std::string folder;
  std::string template_name = "minimal";
  std::string name;
  std::string module;
  bool force = false;
};

bool is_letter_or_digit(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'); }

// A label of RFC 1123: what Kubernetes takes as a name.
bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxNameLength && is_letter_or_digit(text.front()) &&
         is_letter_or_digit(text.back()) &&
         std::ranges::all_of(text, [](char letter) { return letter == '-' || is_letter_or_digit(letter); });
}

// The nearest name to a text; empty: there is none.
std::string name_from(std::string_view text) {
  std::string name;
  for (char letter : text) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    if (is_letter_or_digit(letter)) name += letter;
    else if (!name.empty() && name.back() != '-') name += '-';
  }
  name.resize(std::min(name.size(), kMaxNameLength));
  while (name.ends_with('-')) name.pop_back();
  return name;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// What stands in the way of writing to the folder, or nothing.
std::optional<std::string> obstacle(const std::string& folder, const std::string& shown, bool force) {
  auto status = base::real_file_system().status(folder);
  if (!status && status.error().kind == base::FileErrorKind::not_found) return std::nullopt;
  if (!status) return "cannot write to " + shown + ": " + status.error().message;
  if (status->kind != base::FileKind::directory) return shown + " is there already, and it is no folder";
  auto entries = base::real_file_system().list_directory(folder);
  if (!entries) return "cannot read " + shown + ": " + entries.error().message;
  // A repository that was just made counts as empty.
  auto is_content = [](const base::DirectoryEntry& entry) { return !entry.name.starts_with('.'); };
  if (force || std::ranges::none_of(*entries, is_content)) return std::nullopt;
  return shown + " is not empty; --force writes to it all the same, over files of the same names";
}

ExitCode init(Session& session, const Options& options) {
  auto fail = [&](std::string_view message) {
    session.err.print("error: {}\n", message);
    return ExitCode::failure;
  };
  std::string folder = base::is_absolute_path(options.folder) ? base::clean_path(options.folder)
                                                              : base::join_path(current_directory(), options.folder);
  std::string name = options.name.empty() ? std::string(base::base_name(folder)) : options.name;
  if (!is_name(name)) {
    std::string near = name_from(name);
    return fail(fmt::format(
        "a module can't be called \"{}\": a name has 1 to 63 lower-case letters, digits and '-', and begins and ends with "
        "a letter or digit{}",
        name, near.empty() ? "" : fmt::format("; --name {} would do", near)));
  }
  std::string module = options.module.empty() ? replaced(std::string(kTemplateModule), kTemplateName, name) : options.module;
  if (cue::module::split_version(module).second.empty()) module += "@v0";
  if (auto problem = cue::module::check_module_path(module)) return fail(*problem);
  if (auto problem = obstacle(folder, options.folder, options.force)) return fail(*problem);

  std::vector<NewFile> files =
      files_of_template(base::join_path(builtin::kModuleTemplates, options.template_name));
  for (NewFile& file : files)
    file.content = replaced(replaced(std::move(file.content), kTemplateModule, module), kTemplateName, name);
  if (auto problem = write_folder(folder, files)) return fail(*problem);

  session.out.print("wrote module {} to {}\n", name, options.folder);
  for (const NewFile& file : files) session.out.print("  {}\n", base::join_path(options.folder, file.path));
  session.out.print("\nrender it with: opm mod build {}\n", options.folder);
  return ExitCode::success;
}

}  // namespace

void add_mod_init_command(const Command& group, Session& session) {
  auto options = std::make_shared<Options>();
  Command command = group.add("init", "Start a module: a folder of files that build as they are");
  command.argument("DIR", options->folder, "The folder to make; its name is the module's")
      .choice("-t,--template", options->template_name, builtin::module_templates(), "What to start from")
      .option("--name", options->name, "NAME", "The module's name, instead of the folder's")
      .option("--module", options->module, "PATH", "The path of its CUE module, instead of example.com/NAME@v0")
      .flag("-f,--force", options->force, "Write to a folder that is not empty")
      .footer(
          "minimal:   one container\n"
          "webapp:    a web application that scales and can be reached from outside\n"
          "stateful:  a database that keeps its data\n"
          "full:      several components, configuration, secrets, a blueprint and a policy\n")
      .run([&session, options] { return init(session, *options); });
}

}  // namespace opm::cli
