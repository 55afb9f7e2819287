#pragma once

#include <pthread.h>

namespace molgauge::test {

/// While the object exists, no thread can be started, because the stack of a thread would exceed the address
/// space.
class NoMoreThreads {
 public:
  NoMoreThreads() {
    pthread_getattr_default_np(&former_);
    pthread_attr_t huge;
    pthread_attr_init(&huge);
    pthread_attr_setstacksize(&huge, std::size_t{1} << 47U);
    pthread_setattr_default_np(&huge);
    pthread_attr_destroy(&huge);
  }
  ~NoMoreThreads() {
    pthread_setattr_default_np(&former_);
    pthread_attr_destroy(&former_);
  }
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t former_;
};

}  // namespace molgauge::test
