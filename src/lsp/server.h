// The language server: takes the messages of an editor and gives those that it is answered with. It reads and writes
// nothing itself, and does one thing at a time, when it is told to: whoever runs it looks for further messages in
// between, so that what was cancelled is not done, and a text is checked when its last change has come.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "data/tree.h"
#include "lsp/analysis.h"
#include "lsp/catalog_copy.h"
#include "lsp/checker.h"
#include "lsp/navigation.h"
#include "lsp/protocol.h"
#include "lsp/workspace.h"

namespace opm::lsp {

class Server {
 public:
  explicit Server(Services services);

  // The body of a message.
  void receive(std::string_view body);
  // What arrived was no message.
  void refuse(ErrorCode code, std::string_view message);
  // No more will arrive.
  void end();

  std::size_t waiting() const { return queue_.size(); }
  bool has_work() const { return !exit_code_ && (!queue_.empty() || !unchecked_.empty()); }
  // The next message, or if there is none the check of one package.
  void work();

  // Framed.
  std::string take_output();
  // How the process is to end, when it is to.
  std::optional<int> exit_code() const { return exit_code_; }

 private:
  struct Method;
  static const std::map<std::string_view, Method>& methods();

  void handle(const data::Value& message);
  void handle_request(const data::Value& id, std::string_view method, const data::Value& parameters);
  void handle_notification(std::string_view method, const data::Value& parameters);
  void cancel(const data::Value& parameters);
  void send(const data::Value& message);

  data::Value initialize(const data::Value& parameters);
  data::Value shut_down(const data::Value& parameters);
  data::Value format(const data::Value& parameters);
  data::Value symbols(const data::Value& parameters);
  data::Value hover(const data::Value& parameters);
  data::Value definition(const data::Value& parameters);
  data::Value complete(const data::Value& parameters);
  void initialized(const data::Value& parameters);
  void opened(const data::Value& parameters);
  void changed(const data::Value& parameters);
  void saved(const data::Value& parameters);
  void closed(const data::Value& parameters);
  void files_changed(const data::Value& parameters);
  void exited(const data::Value& parameters);

  // The document that a request is about; what is wrong with the parameters is thrown as BadParameters.
  const Document& document_of(const data::Value& parameters) const;
  std::size_t offset_of(const Document& document, const data::Value& parameters) const;
  // The package of a document as it is now, or as it was when it last could be understood; nullptr: it never could.
  Analysis* analysis_of(const Document& document);
  // What `answer` makes of the question that is asked about a place in a document; null: nothing is known about it.
  data::Value ask(const data::Value& parameters,
                  const std::function<data::Value(Question& question, const Document& document)>& answer);
  // Packages that may be something else now that `path` has changed.
  void check_later(const std::string& path);
  void check_all_later();
  void check_next();
  void forget_closed_packages();
  void publish(const std::set<std::string>& paths);

  enum class State { fresh, initialized, shut_down };

  Services services_;
  Workspace workspace_;
  CatalogCopy catalog_;
  State state_ = State::fresh;
  Encoding encoding_ = Encoding::utf16;
  bool can_register_watches_ = false;
  // Documents that are open and not looked at: editors may send those of other languages too.
  std::set<std::string, std::less<>> others_;
  std::deque<data::Value> queue_;
  std::vector<PackageKey> unchecked_;  // the first one first
  std::map<PackageKey, Findings> findings_;
  struct KnownAnalysis {
    std::uint64_t version = 0;  // of the workspace
    std::unique_ptr<Analysis> analysis;
  };
  std::map<PackageKey, KnownAnalysis> analyses_;
  std::unique_ptr<Analysis> completed_;  // of a text that is there only while it is completed
  std::string output_;
  std::optional<int> exit_code_;
};

}  // namespace opm::lsp
