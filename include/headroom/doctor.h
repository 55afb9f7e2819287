#pragma once

#include "headroom/types.h"

namespace headroom {

/// One line of `headroom doctor`.
struct Finding {
  enum class State { good, note, missing };
  std::string topic, text;
  std::string advice;  ///< how to fix it; empty when there is nothing to fix
  State state = State::good;
};

}  // namespace headroom
