#include "cli/manual_pages.h"

#include <fmt/core.h>

#include <array>
#include <functional>
#include <utility>

namespace opm::cli {

namespace {

constexpr std::array<std::pair<int, std::string_view>, 6> kExitCodes = {{
    {0, "success; of diff: no differences"},
    {1, "wrong use, or a failure that has no code of its own; of diff: differences"},
    {2, "what was given is not valid: CUE, values, a component that nothing matches, --strict"},
    {3, "the cluster or the registry cannot be reached"},
    {4, "permission denied"},
    {5, "not found"},
}};

// Text as roff takes it: a backslash, a hyphen that is no dash, and a dot or quote that begins a line mean something.
std::string roff(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else out.push_back(c);
    begins_line = c == '\n';
  }
  return out;
}

std::string option_usage(const OptionDescription& option, std::string_view bold, std::string_view plain,
                         const std::function<std::string(std::string_view)>& escape) {
  std::string text;
  for (const std::string& name : option.names) text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", bold, escape(name), plain);
  if (option.has_optional_value) text += fmt::format("[={}]", escape(option.value));
  else if (!option.value.empty()) text += " " + escape(option.value);
  return text;
}

std::string meaning(const OptionDescription& option) {
  return option.description + (option.is_repeatable && !option.is_argument ? "; may be repeated" : "");
}

std::string synopsis(const CommandDescription& command, const std::string& name) {
  std::string text = name;
  if (!command.below.empty()) return text + " COMMAND";
  text += " [OPTIONS]";
  for (const OptionDescription& option : command.options) {
    if (!option.is_argument) continue;
    std::string shown = option.names.front() + (option.is_repeatable ? "..." : "");
    text += option.is_required ? " " + shown : " [" + shown + "]";
  }
  return text;
}

std::string dashed(std::string name) {
  for (char& c : name) {
    if (c == ' ') c = '-';
  }
  return name;
}

std::string page(const CommandDescription& command, const std::string& name, const std::string& parent, std::string_view version) {
  std::string title = dashed(name);
  std::string out = fmt::format(".TH \"{}\" 1 \"\" \"opm {}\" \"opm\"\n", roff(title), version);
  out += fmt::format(".SH NAME\n{} \\- {}\n", roff(title), roff(command.description));
  out += fmt::format(".SH SYNOPSIS\n.B {}\n", roff(synopsis(command, name)));
  std::string arguments, options;
  for (const OptionDescription& option : command.options) {
    std::string entry = fmt::format(".TP\n{}\n{}\n", option_usage(option, "\\fB", "\\fR", roff), roff(meaning(option)));
    (option.is_argument ? arguments : options) += entry;
  }
  if (!arguments.empty()) out += ".SH ARGUMENTS\n" + arguments;
  if (!command.below.empty()) {
    out += ".SH COMMANDS\n";
    for (const CommandDescription& below : command.below) {
      if (!below.is_hidden)
        out += fmt::format(".TP\n\\fB{}\\fR(1)\n{}\n", roff(title + "-" + below.name), roff(below.description));
    }
  }
  if (!options.empty()) out += ".SH OPTIONS\n" + options;
  if (!command.footer.empty()) out += fmt::format(".SH MORE\n.nf\n{}\n.fi\n", roff(command.footer));
  if (parent.empty()) {
    out += ".SH EXIT STATUS\n";
    for (const auto& [code, meaning] : kExitCodes) out += fmt::format(".TP\n{}\n{}\n", code, roff(meaning));
  } else {
    out += fmt::format(".SH SEE ALSO\n.BR {} (1)\n", roff(dashed(parent)));
  }
  return out;
}

void add_pages(const CommandDescription& command, const std::string& name, const std::string& parent, std::string_view version,
               std::vector<ManualPage>& pages) {
  pages.push_back({dashed(name) + ".1", page(command, name, parent, version)});
  for (const CommandDescription& below : command.below) {
    if (!below.is_hidden) add_pages(below, name + " " + below.name, name, version, pages);
  }
}

std::string cell(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '|') out += "\\|";
    else if (c == '<') out += "&lt;";
    else out.push_back(c == '\n' ? ' ' : c);
  }
  return out;
}

void add_reference(const CommandDescription& command, const std::string& name, std::string& out) {
  if (command.below.empty()) {
    out += fmt::format("\n## {}\n\n{}.\n\n```\n{}\n```\n\n", name, command.description, synopsis(command, name));
    out += "| | |\n|---|---|\n";
    auto as_is = [](std::string_view text) { return std::string(text); };
    for (bool is_argument : {true, false}) {
      for (const OptionDescription& option : command.options) {
        if (option.is_argument == is_argument)
          out += fmt::format("| `{}` | {} |\n", cell(option_usage(option, "", "", as_is)), cell(meaning(option)));
      }
    }
    if (!command.footer.empty()) out += fmt::format("\n```\n{}\n```\n", command.footer);
  }
  for (const CommandDescription& below : command.below) {
    if (!below.is_hidden) add_reference(below, name + " " + below.name, out);
  }
}

}  // namespace

std::vector<ManualPage> manual_pages(const CommandDescription& root, std::string_view version) {
  std::vector<ManualPage> pages;
  add_pages(root, root.name, {}, version, pages);
  return pages;
}

std::string reference_page(const CommandDescription& root) {
  std::string out = "# Commands\n\nAll commands with what they take, as `opm COMMAND --help` tells it too.\n\n## Exit codes\n\n| | |\n|---|---|\n";
  for (const auto& [code, meaning] : kExitCodes) out += fmt::format("| {} | {} |\n", code, cell(meaning));
  add_reference(root, root.name, out);
  return out;
}

}  // namespace opm::cli
