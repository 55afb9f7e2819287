#pragma once

#include <functional>
#include <string>

#include "headroom/engine.h"
#include "headroom/serve.h"

namespace headroom::serve {

/// Serves until SIGTERM or SIGINT. After the signal, no further connections are accepted, and the running
/// call may finish and is answered. It is interrupted after `request.shutdown_seconds`. Ten seconds later,
/// the process ends in any case. A second signal ends the process immediately, with an exit code of 128 plus
/// the number of the signal. `listening` is called with the address when the server accepts requests.
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

}  // namespace headroom::serve
