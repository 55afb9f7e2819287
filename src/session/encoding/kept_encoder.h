#pragma once

#include <filesystem>
#include <list>
#include <optional>
#include <string>

#include "session/encoding/encoding_session.h"

namespace headroom::session {

/// The encoders and the open stores of the last calls that encoded molecules at hand, for the next such call:
/// loading and checking weights, and opening a store, take a hundred times as long as a molecule. Their
/// memory stays taken until drop().
///
/// Not thread safe.
class KeptEncoder {
 public:
  static constexpr std::size_t kMost = 3;

  /// What was kept, where it was for a request of the same text and neither the store nor the weights were
  /// replaced or removed since; they are not kept any more then. Otherwise drops it and returns nothing.
  std::optional<EncoderAndRows> take(const std::string& request);
  /// `store`, `weights`: the folders that it came from. An encoder on a GPU is not kept, because it holds
  /// memory of the device.
  void keep(std::string request, const std::filesystem::path& store, const std::filesystem::path& weights,
            EncoderAndRows kept);
  void drop() { kept_.clear(); }

 private:
  struct Kept {
    std::string request, files;
    std::filesystem::path store, weights;
    EncoderAndRows encoder_and_rows;
  };
  std::list<Kept> kept_;  ///< the newest first, kMost at most
};

}  // namespace headroom::session
