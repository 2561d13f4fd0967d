#include "cli/run.h"

#include <cerrno>
#include <cstring>
#include <exception>
#include <new>

#include "cli/commands.h"

namespace opm::cli {

ExitCode run(std::span<const char* const> arguments, Output& out, Output& err) {
  ExitCode code = ExitCode::failure;
  try {
    Session session{out, err};
    CommandLine line(arguments);
    add_commands(line, session);
    code = line.run(arguments, session);
  } catch (const std::bad_alloc&) {
    err.print("error: out of memory: the configuration or its result is too large for this machine\n");
  } catch (const std::exception& error) {
    // Nothing that a user does gets here: it is a mistake in opm.
    err.print("internal error: {}\n", error.what());
  }
  // A reader that has seen enough (as `head` does) closes the pipe; that is no failure of ours.
  if (!out.flush() && out.error() != EPIPE) {
    err.print("error: cannot write to standard output: {}\n", std::strerror(out.error()));
    if (code == ExitCode::success) code = ExitCode::failure;
  }
  err.flush();
  return code;
}

}  // namespace opm::cli
