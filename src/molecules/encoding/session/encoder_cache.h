#pragma once

#include <filesystem>
#include <list>
#include <optional>
#include <string>

#include "base/options/verb.h"
#include "molecules/encoding/session/encoding_session.h"

namespace molgauge::session {

/// Caches the encoders and open stores of recent short calls. Loading weights and opening a store take a
/// hundred times as long as encoding a molecule. Cached encoders and stores take memory until drop() is
/// called.
///
/// Not thread safe.
class EncoderCache : public verbs::KeptCaches {
 public:
  static constexpr std::size_t kMax = 3;

  /// Takes the encoder and rows of an earlier, equal request out of the cache. Returns nothing if the cache
  /// does not have them. Also returns nothing if the store or the weights were replaced or removed since the
  /// earlier request.
  std::optional<EncoderAndRows> take(const std::string& request);
  /// Caches an encoder and rows. `store`, `weights`: the folders that they came from. An encoder on a GPU is
  /// not cached, because it takes memory of the device.
  void keep(std::string request, const std::filesystem::path& store, const std::filesystem::path& weights,
            EncoderAndRows kept);
  void drop() { kept_.clear(); }

  /// A session with these settings. Uses the encoder and store of an earlier session with equal settings if
  /// they are cached. Atom features and pair features are not supported. Throws the errors of
  /// EncodingSession.
  EncodingSession open(EncodingSettings settings, runtime::BudgetScope& memory);
  /// Ends a session from open(), and caches its encoder and store. Do not use the session afterwards.
  void keep(EncodingSession& session);
  /// The number of times that open() had to load an encoder and open a store.
  std::size_t opened() const { return opened_; }

 private:
  struct Kept {
    std::string request, files;
    std::filesystem::path store, weights;
    EncoderAndRows encoder_and_rows;
  };
  std::list<Kept> kept_;  ///< the newest first, kMax at most
  std::size_t opened_ = 0;
};

/// Opens a session through the cache `kept`. If `kept` is null, loads the encoder and opens the store.
EncodingSession open_session(EncoderCache* kept, EncodingSettings settings, runtime::BudgetScope& memory);

}  // namespace molgauge::session
