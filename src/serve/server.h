#pragma once

#include <functional>
#include <string>

#include "headroom/engine.h"
#include "headroom/serve.h"

namespace headroom::serve {

/// Serves until SIGTERM or SIGINT. Then no connection is taken any more, and the call that is running comes
/// to its end and is answered. After `request.shutdown_seconds` it is interrupted, and ten seconds later the
/// process ends whatever it does. A second signal ends the process at once, with 128 and the number of the
/// signal. `listening` is called with the address once requests are taken.
///
/// Files that the process writes from then on are private to its user (umask 077).
///
/// Throws UsageError if the request is unsafe (another address than a loopback one without a token) or its
/// work folder holds files of others, Error if the port is taken, and the errors of the models.
void serve(Engine& engine, Session& session, ServeRequest request,
           const std::function<void(const std::string& address)>& listening);

/// The progress callback for the options of the session. It passes the progress of the engine to the current
/// job.
void report_progress(const ProgressReport& progress);

}  // namespace headroom::serve
