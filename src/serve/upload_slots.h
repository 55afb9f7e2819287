#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace headroom::serve {

/// Long bodies that are being received: so many in total, and half of these from one client. Short bodies
/// need no slot, so that uploads never keep them out.
///
/// Not thread safe: connections share one thread.
class UploadSlots {
 public:
  explicit UploadSlots(std::size_t most) : most_(most) {}

  /// Is given back with the object.
  class Slot {
   public:
    Slot(UploadSlots& slots, std::string client);
    ~Slot();
    Slot(Slot&& other) noexcept;
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    Slot& operator=(Slot&&) = delete;

   private:
    UploadSlots* slots_;
    std::string client_;
  };

  /// `client`: its address. Nothing if the client, or all of them, have as many as they may.
  std::optional<Slot> take(const std::string& client);

 private:
  std::size_t most_, taken_ = 0;
  std::map<std::string, std::size_t> of_client_;
};

}  // namespace headroom::serve
