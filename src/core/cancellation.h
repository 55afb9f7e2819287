#pragma once

namespace headroom {

/// Turns SIGINT and SIGTERM into a flag that long work looks at between pieces. A second SIGINT ends the
/// process at once. Call once, from main.
void install_cancellation();

/// True once the user has asked to stop. Safe from any thread.
bool cancellation_requested();

/// Throws Interrupted once the user has asked to stop.
void throw_if_cancelled();

/// For tests and for embedding programs: asks to stop (true) or takes it back (false).
void request_cancellation(bool requested = true);

}  // namespace headroom
