#include "base/memory/measure/allocator_access.h"

#include <new>

namespace molgauge::memory {

bool is_bad_alloc(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace molgauge::memory
