#include "lsp/server.h"

#include <algorithm>
#include <exception>

#include "base/path.h"
#include "data/build.h"
#include "data/json.h"
#include "lsp/completion.h"
#include "lsp/formatting.h"
#include "lsp/message_stream.h"
#include "lsp/navigation.h"
#include "lsp/symbols.h"
#include "lsp/uri.h"
#include "opm/render/package_folder.h"
#include "opm/render/release_files.h"

namespace opm::lsp {

using data::boolean;
using data::integer;
using data::list;
using data::map;
using data::text;

namespace {

// Stay within this file: the server answers with them.
struct BadParameters {
  std::string message;
};
struct OtherLanguage {};  // nothing is known of such a document

constexpr data::ReadLimits kMessageLimits{
    .max_bytes = MessageStream::kMaxBodyBytes, .max_depth = 200, .max_nodes = 2'000'000};

bool is_cue(std::string_view path) { return path.ends_with(".cue"); }

}  // namespace

struct Server::Method {
  data::Value (Server::*request)(const data::Value&) = nullptr;
  void (Server::*notification)(const data::Value&) = nullptr;
};

const std::map<std::string_view, Server::Method>& Server::methods() {
  static const std::map<std::string_view, Method> kMethods = {
      {"initialize", {&Server::initialize}},
      {"shutdown", {&Server::shut_down}},
      {"textDocument/formatting", {&Server::format}},
      {"textDocument/documentSymbol", {&Server::symbols}},
      {"textDocument/hover", {&Server::hover}},
      {"textDocument/definition", {&Server::definition}},
      {"textDocument/completion", {&Server::complete}},
      {"initialized", {nullptr, &Server::initialized}},
      {"exit", {nullptr, &Server::exited}},
      {"textDocument/didOpen", {nullptr, &Server::opened}},
      {"textDocument/didChange", {nullptr, &Server::changed}},
      {"textDocument/didSave", {nullptr, &Server::saved}},
      {"textDocument/didClose", {nullptr, &Server::closed}},
      {"workspace/didChangeWatchedFiles", {nullptr, &Server::files_changed}},
  };
  return kMethods;
}

Server::Server(Services services)
    : services_(std::move(services)),
      workspace_(services_),
      catalog_(services_.catalog_folder, *services_.files, *services_.writer) {}

void Server::receive(std::string_view body) {
  diag::SourceMap sources;
  const diag::Source* source = sources.add("message", std::string(body));
  auto message =
      source == nullptr ? std::unexpected(std::vector<diag::Diagnostic>()) : data::read_json(*source, kMessageLimits);
  if (!message) return refuse(ErrorCode::parse_error, "the message is no JSON, or too large");
  if (!message->is_map()) return refuse(ErrorCode::invalid_request, "a message is one object");
  if (data::text_at(*message, {"method"}) == "$/cancelRequest") {
    if (const data::Value* parameters = message->find("params")) cancel(*parameters);
    return;
  }
  queue_.push_back(std::move(*message));
}

void Server::refuse(ErrorCode code, std::string_view message) { send(error_response(data::Value(), code, message)); }

void Server::end() {
  if (!exit_code_) exit_code_ = state_ == State::shut_down ? 0 : 1;
}

void Server::cancel(const data::Value& parameters) {
  const data::Value* id = parameters.find("id");
  if (id == nullptr) return;
  auto is_it = [&](const data::Value& message) {
    const data::Value* other = message.find("id");
    return other != nullptr && message.find("method") != nullptr && data::equal(*other, *id);
  };
  auto found = std::ranges::find_if(queue_, is_it);
  if (found == queue_.end()) return;
  queue_.erase(found);
  send(error_response(*id, ErrorCode::request_cancelled, "cancelled"));
}

void Server::work() {
  if (exit_code_) return;
  if (queue_.empty()) return check_next();
  data::Value message = std::move(queue_.front());
  queue_.pop_front();
  handle(message);
}

void Server::handle(const data::Value& message) {
  static const data::Value kNothing = map();
  const data::Value* id = message.find("id");
  const data::Value* method = message.find("method");
  const data::Value* parameters = message.find("params");
  if (parameters == nullptr) parameters = &kNothing;
  if (method == nullptr) {
    // The answer to something that the server asked; there is nothing to do about it.
    bool is_answer = message.find("result") != nullptr || message.find("error") != nullptr;
    if (!is_answer)
      send(
          error_response(id != nullptr ? *id : data::Value(), ErrorCode::invalid_request, "the message has no method"));
    return;
  }
  bool is_id = id != nullptr && (id->is_string() || id->is_number());
  if (!method->is_string() || (id != nullptr && !is_id))
    return send(
        error_response(data::Value(), ErrorCode::invalid_request, "a method is a text, an id a text or a number"));
  if (id == nullptr)
    handle_notification(method->as_string(), *parameters);
  else
    handle_request(*id, method->as_string(), *parameters);
}

void Server::handle_request(const data::Value& id, std::string_view method, const data::Value& parameters) {
  auto fail = [&](ErrorCode code, std::string_view message) { send(error_response(id, code, message)); };
  if (state_ == State::shut_down) return fail(ErrorCode::invalid_request, "the server was shut down");
  bool is_first = method == "initialize";
  if (state_ == State::fresh && !is_first)
    return fail(ErrorCode::server_not_initialized, "the first request is initialize");
  if (state_ != State::fresh && is_first) return fail(ErrorCode::invalid_request, "the server is initialized already");
  auto known = methods().find(method);
  if (known == methods().end() || known->second.request == nullptr)
    return fail(ErrorCode::method_not_found, "there is no request " + std::string(method));
  try {
    send(response(id, (this->*known->second.request)(parameters)));
  } catch (const OtherLanguage&) {
    send(response(id, {}));
  } catch (const BadParameters& bad) {
    fail(ErrorCode::invalid_params, bad.message);
  } catch (const std::exception& error) {
    fail(ErrorCode::internal_error, error.what());
  }
}

void Server::handle_notification(std::string_view method, const data::Value& parameters) {
  if (method == "exit") return exited(parameters);
  if (state_ != State::initialized) return;
  auto known = methods().find(method);
  if (known == methods().end() || known->second.notification == nullptr) return;
  try {
    (this->*known->second.notification)(parameters);
  } catch (const OtherLanguage&) {
    // There is nothing to do about it.
  } catch (const BadParameters&) {
    // A notification is not answered; the next one may be sound again.
  }
}

void Server::send(const data::Value& message) { output_ += framed(data::write_json(message)); }

std::string Server::take_output() { return std::exchange(output_, {}); }

data::Value Server::initialize(const data::Value& parameters) {
  state_ = State::initialized;
  if (const data::Value* offered = parameters.find_path({"capabilities", "general", "positionEncodings"});
      offered != nullptr && offered->is_list()) {
    auto is_bytes = [](const data::Value& one) { return one.is_string() && one.as_string() == "utf-8"; };
    if (std::ranges::any_of(offered->as_list(), is_bytes)) encoding_ = Encoding::utf8;
  }
  const data::Value* watches =
      parameters.find_path({"capabilities", "workspace", "didChangeWatchedFiles", "dynamicRegistration"});
  can_register_watches_ = watches != nullptr && watches->is_bool() && watches->as_bool();
  constexpr int kIncremental = 2;
  return map({{"capabilities",
               map({{"positionEncoding", text(encoding_ == Encoding::utf8 ? "utf-8" : "utf-16")},
                    {"textDocumentSync",
                     map({{"openClose", boolean(true)}, {"change", integer(kIncremental)}, {"save", boolean(true)}})},
                    {"hoverProvider", boolean(true)},
                    {"definitionProvider", boolean(true)},
                    {"completionProvider", map({{"triggerCharacters", list({text("."), text("\""), text("/")})}})},
                    {"documentFormattingProvider", boolean(true)},
                    {"documentSymbolProvider", boolean(true)}})},
              {"serverInfo", map({{"name", text("opm")}, {"version", text(services_.version)}})}});
}

data::Value Server::shut_down(const data::Value&) {
  state_ = State::shut_down;
  unchecked_.clear();
  return {};
}

void Server::initialized(const data::Value&) {
  if (!services_.warning.empty()) {
    constexpr int kWarning = 2;
    send(notification("window/showMessage",
                      map({{"type", integer(kWarning)}, {"message", text("opm: " + services_.warning)}})));
  }
  if (!can_register_watches_) return;
  data::Value request = notification(
      "client/registerCapability",
      map({{"registrations", list({map({{"id", text("opm-files")},
                                        {"method", text("workspace/didChangeWatchedFiles")},
                                        {"registerOptions",
                                         map({{"watchers", list({map({{"globPattern", text("**/*.cue")}})})}})}})})}}));
  data::set(request, "id", text("opm-files"));
  send(request);
}

void Server::exited(const data::Value&) { end(); }

const Document& Server::document_of(const data::Value& parameters) const {
  std::string_view uri = data::text_at(parameters, {"textDocument", "uri"});
  const Document* document = workspace_.find(uri);
  if (document == nullptr && others_.contains(uri)) throw OtherLanguage{};
  if (document == nullptr) throw BadParameters{"the document is not open: " + std::string(uri)};
  return *document;
}

std::size_t Server::offset_of(const Document& document, const data::Value& parameters) const {
  auto position = read_position(parameters.find("position"));
  if (!position) throw BadParameters{"there is no position"};
  return LineIndex(document.text).offset(document.text, *position, encoding_);
}

Analysis* Server::analysis_of(const Document& document) {
  PackageKey package = workspace_.package_of(document);
  KnownAnalysis& known = analyses_[package];
  if (known.version == workspace_.version()) return known.analysis.get();
  if (auto analysis = Analysis::make(workspace_, package)) known.analysis = std::move(analysis);
  known.version = workspace_.version();
  return known.analysis.get();
}

void Server::opened(const data::Value& parameters) {
  Document document;
  document.uri = data::text_at(parameters, {"textDocument", "uri"});
  document.version = data::integer_at(parameters, {"textDocument", "version"});
  document.text = data::text_at(parameters, {"textDocument", "text"});
  auto path = path_of_uri(document.uri);
  if (!path || !is_cue(*path) || document.text.size() > Document::kMaxBytes) {
    others_.insert(std::move(document.uri));
    return;
  }
  document.path = *path;
  workspace_.open(std::move(document));
  check_later(*path);
}

void Server::changed(const data::Value& parameters) {
  const data::Value* changes = parameters.find("contentChanges");
  Document* document = workspace_.change(data::text_at(parameters, {"textDocument", "uri"}));
  if (document == nullptr || changes == nullptr) return;
  PackageKey before = workspace_.package_of(*document);
  bool is_sound = document->apply(*changes, encoding_);
  document->version = data::integer_at(parameters, {"textDocument", "version"}, document->version + 1);
  if (!is_sound) {
    constexpr int kError = 1;
    send(notification("window/showMessage", map({{"type", integer(kError)},
                                                 {"message", text("opm: a change of " + document->path +
                                                                  " could not be followed; open the file again")}})));
  }
  std::string path = document->path;
  if (workspace_.package_of(*document) != before) forget_closed_packages();
  check_later(path);
}

void Server::saved(const data::Value& parameters) {
  workspace_.forget_files();
  check_later(document_of(parameters).path);
}

void Server::closed(const data::Value& parameters) {
  if (others_.erase(std::string(data::text_at(parameters, {"textDocument", "uri"}))) > 0) return;
  std::string path = document_of(parameters).path;
  workspace_.close(data::text_at(parameters, {"textDocument", "uri"}));
  forget_closed_packages();
  check_later(path);
  publish({path});
}

void Server::files_changed(const data::Value&) {
  workspace_.forget_files();
  check_all_later();
}

void Server::check_later(const std::string& path) {
  const base::FileSystem& files = workspace_.files();
  std::string folder = base::parent_path(path);
  // Platforms are used by all releases beside and below their folder.
  bool is_platforms = base::base_name(folder) == render::kPlatformsFolder;
  std::string root = is_platforms ? base::parent_path(folder) : render::module_root(files, folder);
  // The package that somebody types in is checked first, then those that may use it.
  std::vector<PackageKey> now;
  for (const auto& [other, document] : workspace_.documents()) {
    if (catalog_.holds(other)) continue;
    PackageKey package = workspace_.package_of(document);
    if (std::ranges::find(now, package) != now.end()) continue;
    if (other == path)
      now.insert(now.begin(), std::move(package));
    else if (package.folder == folder || (!root.empty() && base::is_within(package.folder, root)))
      now.push_back(std::move(package));
  }
  std::erase_if(unchecked_, [&](const PackageKey& package) { return std::ranges::find(now, package) != now.end(); });
  unchecked_.insert(unchecked_.begin(), now.begin(), now.end());
}

void Server::check_all_later() {
  for (const auto& [path, document] : workspace_.documents()) {
    PackageKey package = workspace_.package_of(document);
    if (!catalog_.holds(path) && std::ranges::find(unchecked_, package) == unchecked_.end())
      unchecked_.push_back(std::move(package));
  }
}

void Server::check_next() {
  if (unchecked_.empty()) return;
  PackageKey package = std::move(unchecked_.front());
  unchecked_.erase(unchecked_.begin());
  std::set<std::string> paths;
  for (const auto& [path, document] : workspace_.documents()) {
    if (workspace_.package_of(document) == package) paths.insert(path);
  }
  if (paths.empty()) return;
  Findings& known = findings_[package];
  for (const auto& [path, findings] : known) paths.insert(path);
  try {
    known = check(workspace_, package, catalog_, encoding_);
  } catch (const std::exception& error) {
    known = {{*paths.begin(), {Finding{diag::Severity::error, {}, "internal", error.what(), {}}}}};
  }
  for (const auto& [path, findings] : known) paths.insert(path);
  publish(paths);
}

void Server::forget_closed_packages() {
  std::set<PackageKey> open;
  for (const auto& [path, document] : workspace_.documents()) open.insert(workspace_.package_of(document));
  std::set<std::string> paths;
  for (const auto& [package, findings] : findings_) {
    if (open.contains(package)) continue;
    for (const auto& [path, list] : findings) paths.insert(path);
  }
  std::erase_if(findings_, [&](const auto& entry) { return !open.contains(entry.first); });
  std::erase_if(unchecked_, [&](const PackageKey& package) { return !open.contains(package); });
  std::erase_if(analyses_, [&](const auto& entry) { return !open.contains(entry.first); });
  if (!paths.empty()) publish(paths);
}

void Server::publish(const std::set<std::string>& paths) {
  for (const std::string& path : paths) {
    std::vector<Finding> all;
    for (const auto& [package, findings] : findings_) {
      auto found = findings.find(path);
      if (found == findings.end()) continue;
      for (const Finding& finding : found->second) {
        if (std::ranges::find(all, finding) == all.end()) all.push_back(finding);
      }
    }
    data::List diagnostics;
    for (const Finding& finding : all) diagnostics.push_back(to_data(finding));
    auto document = workspace_.documents().find(path);
    bool is_open = document != workspace_.documents().end();
    data::Value parameters = map({{"uri", text(is_open ? document->second.uri : uri_of_path(path))},
                                  {"diagnostics", list(std::move(diagnostics))}});
    if (is_open) data::set(parameters, "version", integer(document->second.version));
    send(notification("textDocument/publishDiagnostics", std::move(parameters)));
  }
}

data::Value Server::format(const data::Value& parameters) {
  auto edits = format_document(document_of(parameters).text, encoding_);
  if (!edits) return {};
  data::List result;
  for (TextEdit& edit : *edits)
    result.push_back(map({{"range", to_data(edit.range)}, {"newText", text(std::move(edit.text))}}));
  return list(std::move(result));
}

data::Value Server::ask(const data::Value& parameters,
                        const std::function<data::Value(Question& question, const Document& document)>& answer) {
  const Document& document = document_of(parameters);
  std::size_t offset = offset_of(document, parameters);
  Analysis* analysis = analysis_of(document);
  if (analysis == nullptr) return {};
  ParsedText parsed(document.text);
  Question question{*analysis, parsed, cursor_at(parsed, offset), document.path, encoding_};
  return answer(question, document);
}

data::Value Server::hover(const data::Value& parameters) {
  return ask(parameters, [](Question& question, const Document&) -> data::Value {
    auto found = lsp::hover(question);
    if (!found) return {};
    return map({{"contents", map({{"kind", text("markdown")}, {"value", text(std::move(found->markdown))}})},
                {"range", to_data(found->range)}});
  });
}

data::Value Server::definition(const data::Value& parameters) {
  return ask(parameters, [&](Question& question, const Document& document) {
    data::List places;
    for (const Place& place : definitions(question, catalog_, workspace_.package_of(document).folder))
      places.push_back(to_data(place));
    return list(std::move(places));
  });
}

data::Value Server::complete(const data::Value& parameters) {
  const Document& document = document_of(parameters);
  std::size_t offset = offset_of(document, parameters);
  PackageKey package = workspace_.package_of(document);
  auto analyze = [&](std::string text) -> Analysis* {
    completed_ = Analysis::make(workspace_, package, {{document.path, std::move(text)}});
    return completed_ ? completed_.get() : analysis_of(document);
  };
  Completion completion = lsp::complete(workspace_, document, offset, analyze);
  LineIndex lines(document.text);
  TextRange range{lines.position(document.text, completion.begin, encoding_),
                  lines.position(document.text, completion.end, encoding_)};
  data::List items;
  for (CompletionItem& item : completion.items) {
    data::Value one = map({{"label", text(item.label)},
                           {"kind", integer(static_cast<int>(item.kind))},
                           {"sortText", text(item.rank + item.label)},
                           {"textEdit", map({{"range", to_data(range)}, {"newText", text(std::move(item.text))}})}});
    if (!item.detail.empty()) data::set(one, "detail", text(std::move(item.detail)));
    if (!item.documentation.empty())
      data::set(one, "documentation",
                map({{"kind", text("markdown")}, {"value", text(std::move(item.documentation))}}));
    items.push_back(std::move(one));
  }
  return map({{"isIncomplete", boolean(false)}, {"items", list(std::move(items))}});
}

data::Value Server::symbols(const data::Value& parameters) {
  return document_symbols(document_of(parameters).text, encoding_);
}

}  // namespace opm::lsp
