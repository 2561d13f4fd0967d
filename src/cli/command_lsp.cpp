#include "cli/command_lsp.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <memory>

#include "base/environment.h"
#include "base/path.h"
#include "cli/configure.h"
#include "lsp/message_stream.h"
#include "lsp/server.h"

namespace opm::cli {

namespace {

struct Options {
  ConfigFlags config;
  bool standard_streams = true;  // what editors say by habit
};

// Beyond this, what is there is worked off before more is read.
constexpr std::size_t kMostWaiting = 1000;

std::string catalog_folder() {
  const base::Environment& environment = base::real_environment();
  std::string caches = environment.get("XDG_CACHE_HOME").value_or("");
  if (base::is_absolute_path(caches)) return base::join_path(caches, "opm/catalog");
  std::string home = environment.get("HOME").value_or("");
  return base::is_absolute_path(home) ? base::join_path(home, ".cache/opm/catalog") : std::string();
}

class Conversation {
 public:
  Conversation(Session& session, lsp::Services services) : session_(session), server_(std::move(services)) {}

  ExitCode run() {
    while (!server_.exit_code()) {
      // Everything that is there is read before anything is done, so that what a later message makes needless is not
      // done.
      if (server_.waiting() < kMostWaiting && is_readable(!server_.has_work())) {
        read();
      } else {
        server_.work();
      }
      if (!write()) return ExitCode::failure;
    }
    return write() && *server_.exit_code() == 0 ? ExitCode::success : ExitCode::failure;
  }

 private:
  static bool is_readable(bool waits) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return ::poll(&input, 1, waits ? -1 : 0) > 0;
  }

  void read() {
    std::array<char, 64 * 1024> buffer;
    ssize_t count = ::read(STDIN_FILENO, buffer.data(), buffer.size());
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) return;
    if (count <= 0) return finish();
    stream_.feed({buffer.data(), static_cast<std::size_t>(count)});
    for (;;) {
      lsp::MessageStream::Next next = stream_.next();
      switch (next.outcome) {
        case lsp::MessageStream::Outcome::message:
          server_.receive(next.body);
          break;
        case lsp::MessageStream::Outcome::too_large:
          server_.refuse(lsp::ErrorCode::invalid_request, "the message is too large");
          break;
        case lsp::MessageStream::Outcome::incomplete:
          return;
        case lsp::MessageStream::Outcome::broken:
          server_.refuse(lsp::ErrorCode::parse_error, "a message begins with the header Content-Length");
          return finish();
      }
    }
  }

  // What was asked before the end is still answered.
  void finish() {
    while (!server_.exit_code() && server_.waiting() > 0) server_.work();
    server_.end();
  }

  bool write() {
    session_.out.write(server_.take_output());
    return session_.out.flush();
  }

  Session& session_;
  lsp::Server server_;
  lsp::MessageStream stream_;
};

ExitCode serve(Session& session, const Options& options) {
  lsp::Services services;
  services.version = OPM_VERSION;
  services.catalog_folder = catalog_folder();
  // Somebody who is about to mend their configuration needs the server all the same.
  Output said = Output::to_text();
  Session quiet{session.out, said};
  auto configured = configure(quiet, options.config);
  std::unique_ptr<ModuleChain> builtin;
  if (configured) {
    services.configuration = &configured->configuration;
    services.resolver = &configured->modules->resolver();
  } else {
    services.warning = "the configuration cannot be used: " + std::string(said.text());
    if (auto opened = ModuleChain::open({.builtin = !options.config.no_builtin})) builtin = std::move(*opened);
    if (builtin) services.resolver = &builtin->resolver();
  }
  ExitCode code = ExitCode::failure;
  cue::run_on_large_stack([&] { code = Conversation(session, std::move(services)).run(); });
  return code;
}

}  // namespace

void add_lsp_command(CommandLine& line, Session& session) {
  auto options = std::make_shared<Options>();
  Command command =
      line.root().add("lsp", "Serve an editor with the Language Server Protocol on standard input and output");
  command.flag("--stdio", options->standard_streams, "On standard input and output, which is how it always is");
  declare_config_flags(command, options->config);
  command.footer("Editors start it; \"opm help editors\" says how to tell them.");
  command.run([&session, options] { return serve(session, *options); });
}

}  // namespace opm::cli
