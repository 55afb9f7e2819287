#pragma once

namespace molgauge {

/// While an object of this class exists, the first SIGINT or SIGTERM ends the process at once. Loading a
/// library can take seconds, and nothing can interrupt it in another way.
class EndAtFirstSignal {
 public:
  EndAtFirstSignal();
  ~EndAtFirstSignal();
  EndAtFirstSignal(const EndAtFirstSignal&) = delete;
  EndAtFirstSignal& operator=(const EndAtFirstSignal&) = delete;
};

}  // namespace molgauge
