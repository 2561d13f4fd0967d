#include "cli/run.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>

#include "cli/commands.h"

namespace opm::cli {

namespace {

ExitCode flush(Output& out, Output& err, ExitCode code) {
  // A reader that has seen enough (as `head` does) closes the pipe; that is no failure of ours.
  if (!out.flush() && out.error() != EPIPE) {
    err.print("error: cannot write to standard output: {}\n", std::strerror(out.error()));
    if (code == ExitCode::success) code = ExitCode::failure;
  }
  err.flush();
  return code;
}

}  // namespace

ExitCode done(Session& session, ExitCode code) {
  if (!session.is_process) return code;
  std::_Exit(static_cast<int>(flush(session.out, session.err, code)));
}

ExitCode run(std::span<const char* const> arguments, Output& out, Output& err, bool is_process) {
  ExitCode code = ExitCode::failure;
  try {
    Session session{out, err, is_process};
    CommandLine line(arguments);
    add_commands(line, session);
    code = line.run(arguments, session);
  } catch (const std::bad_alloc&) {
    err.print("error: out of memory: the configuration or its result is too large for this machine\n");
  } catch (const std::exception& error) {
    // Nothing that a user does gets here: it is a mistake in opm.
    err.print("internal error: {}\n", error.what());
  }
  return flush(out, err, code);
}

}  // namespace opm::cli
