#pragma once

#include <functional>
#include <string>

#include "headroom/engine.h"
#include "headroom/serve.h"

namespace headroom::serve {

/// Serves until SIGTERM or SIGINT: then no connection is taken any more, what is being computed comes to its
/// end and is answered, and the call returns. `listening` is called with the address once requests are taken.
///
/// Throws UsageError where the request is unsafe (another address than a loopback one without a token), Error
/// where the port is taken, and the errors of the models.
void serve(Engine& engine, Session& session, ServeRequest request,
           const std::function<void(const std::string& address)>& listening);

/// For the session's options: how far the engine has come, for the job that it works for.
void report_progress(const ProgressReport& progress);

}  // namespace headroom::serve
