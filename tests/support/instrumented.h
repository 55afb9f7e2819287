#pragma once

namespace molgauge::test {

/// Returns whether a sanitizer keeps freed memory and shadow memory in this build. Tests then do not check
/// the memory of a process.
inline bool is_instrumented() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  return false;
#endif
}

}  // namespace molgauge::test
