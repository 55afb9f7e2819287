#pragma once

#include <functional>
#include <string>

#include "molgauge/engine.h"
#include "molgauge/serve.h"

namespace molgauge::serve {

/// Serves until SIGTERM or SIGINT. After the signal, the server accepts no further connections. The running
/// call of the engine may finish, and its answer is sent. After `request.shutdown_seconds`, the call is
/// interrupted. Ten seconds later, the process ends even if the call is still running. A second signal ends
/// the process immediately, with an exit code of 128 plus the number of the signal. `listening` is called
/// with the address when the server accepts requests.
///
/// Files that the process writes after this call are private to its user (umask 077).
///
/// Throws UsageError if there is no token and the address is not a loopback address, or if the work folder
/// has files of other programs. Throws Error if the port is in use. Also throws the errors of the models.
void serve(Engine& engine, Session& session, ServeRequest request,
           const std::function<void(const std::string& address)>& listening);

/// The progress callback for the options of the session. It passes the progress of the engine to the current
/// job.
void report_progress(const ProgressReport& progress);

}  // namespace molgauge::serve
