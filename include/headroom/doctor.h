#pragma once

#include "headroom/types.h"

namespace headroom {

/// One line of `headroom doctor`.
struct Finding {
  enum class State { good, note, missing };
  std::string topic, text;
  std::string advice;  ///< what to do about it; empty when nothing is
  State state = State::good;
};

}  // namespace headroom
