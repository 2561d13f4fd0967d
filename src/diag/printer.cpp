#include "diag/printer.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "base/json_string.h"
#include "base/path.h"

namespace opm::diag {

namespace {

std::string_view severity_name(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "error";
}

std::string shown_file(std::string_view file, const PrintOptions& options) {
  if (options.working_directory.empty() || !base::is_absolute_path(file)) return std::string(file);
  std::string relative = base::relative_path(options.working_directory, base::clean_path(file));
  // Editors recognise a path by the dot, and it tells files from built-in packages.
  return relative.starts_with('.') ? relative : "./" + relative;
}

// Text from files and clusters must not move the cursor or colour the terminal.
void append_printable(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    auto byte = static_cast<unsigned char>(text[at]);
    bool is_c1 = byte == 0xC2 && at + 1 < text.size() && static_cast<unsigned char>(text[at + 1]) < 0xA0;
    if (is_c1) {
      out += fmt::format("\\u{:04x}", static_cast<unsigned char>(text[++at]));
    } else if ((byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7F) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out.push_back(text[at]);
    }
  }
}

// Colours of a terminal, or nothing.
struct Colors {
  explicit Colors(const PrintOptions& options) {
    if (options.with_color) *this = Colors();
  }
  std::string_view message, place, label, end;

 private:
  Colors() : message("\x1b[1;31m"), place("\x1b[36m"), label("\x1b[1;32m"), end("\x1b[0m") {}
};

void append_positions(std::string& out, const SourceMap& sources, const std::vector<Position>& positions,
                      const PrintOptions& options) {
  std::vector<Position> shown;
  for (Position position : positions) {
    if (!position.valid() || std::find(shown.begin(), shown.end(), position) != shown.end()) continue;
    shown.push_back(position);
    Location location = sources.locate(position);
    Colors colors(options);
    out += fmt::format("    {}", colors.place);
    std::string file = shown_file(location.file, options);
    append_printable(out, file);
    out += fmt::format("{}{}:{}{}\n", file.empty() ? "" : ":", location.line, location.column, colors.end);
  }
}

bool has_position(const std::vector<Position>& positions) {
  return std::any_of(positions.begin(), positions.end(), [](Position position) { return position.valid(); });
}

// A name or value of a million characters would bury what is said about it.
void append_shortened(std::string& out, std::string_view message) {
  constexpr std::size_t kLongest = 1500, kHead = 1000, kTail = 300;
  for (std::size_t start = 0;;) {
    std::size_t end = std::min(message.find('\n', start), message.size());
    std::string_view line = message.substr(start, end - start);
    if (line.size() <= kLongest) {
      append_printable(out, line);
    } else {
      auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80; };
      std::size_t head = kHead, tail = line.size() - kTail;
      while (head > 0 && continues(head)) --head;
      while (tail < line.size() && continues(tail)) ++tail;
      append_printable(out, line.substr(0, head));
      out += fmt::format("... ({} bytes) ...", tail - head);
      append_printable(out, line.substr(tail));
    }
    if (end == message.size()) return;
    out.push_back('\n');
    start = end + 1;
  }
}

// A message, and below it where it stands.
void append_message(std::string& out, const SourceMap& sources, std::string_view message,
                    const std::vector<Position>& positions, const PrintOptions& options) {
  Colors colors(options);
  out += colors.message;
  append_shortened(out, message);
  out += colors.end;
  out += has_position(positions) ? ":\n" : "\n";
  append_positions(out, sources, positions, options);
}

void append_key(std::string& out, std::string_view key) {
  if (out.back() != '{') out.push_back(',');
  base::append_json_string(out, key);
  out.push_back(':');
}

void append_text(std::string& out, std::string_view key, std::string_view text) {
  if (text.empty()) return;
  append_key(out, key);
  base::append_json_string(out, text);
}

void append_json_positions(std::string& out, const SourceMap& sources, const std::vector<Position>& positions,
                           const PrintOptions& options) {
  append_key(out, "positions");
  out.push_back('[');
  for (Position position : positions) {
    if (!position.valid()) continue;
    Location location = sources.locate(position);
    out += out.back() == '[' ? "{" : ",{";
    append_text(out, "file", shown_file(location.file, options));
    append_key(out, "line");
    out += std::to_string(location.line);
    append_key(out, "column");
    out += std::to_string(location.column);
    out.push_back('}');
  }
  out.push_back(']');
}

// `%`, and line breaks end a command; `:` and `,` end a property.
std::string escape_command(std::string_view text, bool is_property) {
  std::string out;
  for (char character : text) {
    bool escaped = character == '%' || character == '\r' || character == '\n' ||
                   (is_property && (character == ':' || character == ','));
    if (escaped) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(character));
    } else {
      out.push_back(character);
    }
  }
  return out;
}

struct SortKey {
  std::string_view file;
  std::uint32_t offset;
  bool has_position;

  static SortKey of(const SourceMap& sources, const Diagnostic& diagnostic) {
    bool is_somewhere = !diagnostic.only_explains && !diagnostic.positions.empty() && diagnostic.positions[0].valid();
    if (!is_somewhere) return {{}, 0, false};
    Location location = sources.locate(diagnostic.positions[0]);
    return {location.file, location.offset, true};
  }
};

// As CUE has it: the second error of one field at one place is an echo of the first, whatever it says.
bool says_the_same(const Diagnostic& a, const Diagnostic& b) {
  auto place = [](const Diagnostic& diagnostic) {
    return diagnostic.only_explains || diagnostic.positions.empty() ? Position{} : diagnostic.positions[0];
  };
  if (a.severity != b.severity || a.path != b.path || place(a) != place(b)) return false;
  return place(a).valid() || a.message == b.message;
}

}  // namespace

void sort_and_unite(const SourceMap& sources, std::vector<Diagnostic>& diagnostics) {
  // Positions are looked up once each, not once a comparison.
  struct Entry {
    SortKey key;
    std::size_t index;
    Diagnostic diagnostic;
  };
  std::vector<Entry> entries;
  entries.reserve(diagnostics.size());
  for (Diagnostic& diagnostic : diagnostics) {
    SortKey key = SortKey::of(sources, diagnostic);
    entries.push_back({key, entries.size(), std::move(diagnostic)});
  }
  auto order = [](const Entry& entry) {
    return std::tie(entry.key.has_position, entry.key.file, entry.key.offset, entry.diagnostic.path,
                    entry.diagnostic.message, entry.diagnostic.severity, entry.index);
  };
  std::sort(entries.begin(), entries.end(), [&](const Entry& a, const Entry& b) { return order(a) < order(b); });
  diagnostics.clear();
  for (Entry& entry : entries) {
    if (!diagnostics.empty() && says_the_same(diagnostics.back(), entry.diagnostic)) continue;
    diagnostics.push_back(std::move(entry.diagnostic));
  }
}

std::string format_text(const SourceMap& sources, const Diagnostic& diagnostic, const PrintOptions& options) {
  std::string out;
  // CUE's users expect errors without a word in front; the rest has to say what it is.
  if (diagnostic.severity != Severity::error) out += fmt::format("{}: ", severity_name(diagnostic.severity));
  std::string message = diagnostic.path.empty() ? diagnostic.message : diagnostic.path + ": " + diagnostic.message;
  append_message(out, sources, message, diagnostic.positions, options);
  if (!options.with_advice) return out;
  for (const Note& note : diagnostic.notes) {
    out += fmt::format("  {}note:{} ", Colors(options).label, Colors(options).end);
    append_message(out, sources, note.message, note.positions, options);
  }
  if (!diagnostic.advice.empty()) {
    out += fmt::format("  {}help:{} ", Colors(options).label, Colors(options).end);
    append_printable(out, diagnostic.advice);
    out.push_back('\n');
  }
  return out;
}

std::string format_json(const SourceMap& sources, const Diagnostic& diagnostic, const PrintOptions& options) {
  std::string out = "{";
  append_text(out, "severity", severity_name(diagnostic.severity));
  append_text(out, "code", diagnostic.code);
  append_text(out, "path", diagnostic.path);
  append_text(out, "message", diagnostic.message);
  append_json_positions(out, sources, diagnostic.positions, options);
  if (!diagnostic.notes.empty()) {
    append_key(out, "notes");
    out.push_back('[');
    for (const Note& note : diagnostic.notes) {
      out += out.back() == '[' ? "{" : ",{";
      append_text(out, "message", note.message);
      append_json_positions(out, sources, note.positions, options);
      out.push_back('}');
    }
    out.push_back(']');
  }
  append_text(out, "advice", diagnostic.advice);
  out += "}\n";
  return out;
}

std::string format_annotation(const SourceMap& sources, const Diagnostic& diagnostic, const PrintOptions& options) {
  std::string out = "::";
  out += diagnostic.severity == Severity::note ? "notice" : severity_name(diagnostic.severity);
  std::string properties;
  auto add = [&](std::string_view name, std::string_view value) {
    if (value.empty()) return;
    properties += fmt::format("{}{}={}", properties.empty() ? ' ' : ',', name, escape_command(value, true));
  };
  for (Position position : diagnostic.positions) {
    if (!position.valid()) continue;
    Location location = sources.locate(position);
    std::string file = shown_file(location.file, options);
    add("file", file.starts_with("./") ? std::string_view(file).substr(2) : std::string_view(file));
    add("line", std::to_string(location.line));
    add("col", std::to_string(location.column));
    break;
  }
  add("title", diagnostic.code);
  out += properties;
  out += "::";
  std::string message = diagnostic.path.empty() ? diagnostic.message : diagnostic.path + ": " + diagnostic.message;
  for (const Note& note : diagnostic.notes) message += "\nnote: " + note.message;
  if (!diagnostic.advice.empty()) message += "\nhelp: " + diagnostic.advice;
  out += escape_command(message, false);
  out.push_back('\n');
  return out;
}

}  // namespace opm::diag
