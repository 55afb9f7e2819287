#pragma once

/// One build of a function per instruction set, chosen when the library is loaded. The choice is made by a
/// resolver that runs before a sanitizer is ready, so sanitized builds keep to the plain one.
#if defined(__x86_64__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define HEADROOM_FOR_EACH_PROCESSOR \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HEADROOM_FOR_EACH_PROCESSOR
#endif
