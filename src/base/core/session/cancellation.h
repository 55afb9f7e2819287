#pragma once

namespace molgauge {

/// Makes SIGINT and SIGTERM set a flag of the process. Long work checks the flag regularly. A second SIGINT
/// ends the process at once. Call once, from main.
void install_cancellation();

/// Returns true after the user has asked to stop, by a signal or through the session. May be called from any
/// thread.
bool cancellation_requested();

/// Throws Interrupted once the user has asked to stop.
void throw_if_cancelled();

/// Asks the open session to stop (true), or withdraws the request (false).
void request_cancellation(bool requested = true);

}  // namespace molgauge
