#include "molecules/encoding/session/encoder_cache.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/runtime/folders.h"

namespace molgauge::session {
namespace {

/// Returns text that identifies a file, or "absent" if the file does not exist. If `with_time` is true, the
/// text includes the size and the time of the last change.
std::string identity_of(const std::filesystem::path& file, bool with_time) {
  struct stat found = {};
  if (stat(file.c_str(), &found) != 0) {
    return "absent";
  }
  const std::string identity = fmt::format("{}:{}", found.st_dev, found.st_ino);
  return with_time ? fmt::format("{}:{}:{}.{}", identity, found.st_size, found.st_mtim.tv_sec,
                                 found.st_mtim.tv_nsec)
                   : identity;
}

/// Identifies the files of the store and of the weights of an encoder. The modification time of the store is
/// ignored, because commands write to a store all the time. A store counts as another store only if its file
/// was replaced.
std::string files_of(const std::filesystem::path& store, const std::filesystem::path& weights) {
  std::string files = identity_of(store / "data.mdb", /*with_time=*/false);
  std::error_code absent;
  for (std::filesystem::directory_iterator entry(weights, absent), end; !absent && entry != end;
       entry.increment(absent)) {
    files += "\n" + entry->path().filename().string() + ":" + identity_of(entry->path(), /*with_time=*/true);
  }
  return files;
}

/// Returns text that contains all settings on which an encoder, its rows and its plans depend.
std::string text_of(const EncodingSettings& settings) {
  const ComputeOptions& compute = settings.compute;
  const PlacementOptions& placement = settings.placement;
  std::string text = "session";
  for (const std::string& word :
       {settings.encoder, settings.store, settings.weights, settings.features, compute.device,
        compute.precision, compute.memory_budget, compute.host_memory_budget,
        to_string(placement.conformer_fallback), to_string(placement.conformer_engine)}) {
    text += fmt::format("\n{}:{}", word.size(), word);
  }
  text += fmt::format("\n{} {} {} {} {}", compute.threads, compute.random_weights, compute.conservative,
                      settings.for_a_head, settings.writes_later);
  text += placement.conformer_deadline ? fmt::format("\n{}", *placement.conformer_deadline) : "\nnone";
  text += placement.max_atoms ? fmt::format("\n{}", *placement.max_atoms) : "\nnone";
  return settings.tuned.empty() ? text
                                : fmt::format("{}\n{} {}", text, settings.tuned.string(),
                                              identity_of(settings.tuned, /*with_time=*/true));
}

}  // namespace

std::optional<EncoderAndRows> EncoderCache::take(const std::string& request) {
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.request == request; });
  if (found == kept_.end()) {
    return std::nullopt;
  }
  Kept kept = std::move(*found);
  kept_.erase(found);
  if (kept.files != files_of(kept.store, kept.weights)) {
    return std::nullopt;
  }
  return std::move(kept.encoder_and_rows);
}

void EncoderCache::keep(std::string request, const std::filesystem::path& store,
                        const std::filesystem::path& weights, EncoderAndRows kept) {
  if (!kept.encoder->is_on_gpu()) {
    kept_.push_front({std::move(request), files_of(store, weights), store, weights, std::move(kept)});
    if (kept_.size() > kMax) {
      kept_.pop_back();
    }
  }
}

EncodingSession EncoderCache::open(EncodingSettings settings, runtime::BudgetScope& memory) {
  auto earlier = take(text_of(settings));
  opened_ += earlier ? 0 : 1;
  return earlier ? EncodingSession(std::move(settings), memory, std::move(*earlier))
                 : EncodingSession(std::move(settings), memory);
}

void EncoderCache::keep(EncodingSession& session) {
  const EncodingSettings& settings = session.settings();
  // Does not cache the encoder if allocations are traced, because a trace must contain the loading of the
  // weights.
  if (settings.compute.memory_trace.empty()) {
    keep(text_of(settings), runtime::store_folder(settings.store),
         runtime::weights_folder(settings.weights) / settings.encoder, session.release());
  }
}

EncodingSession open_session(EncoderCache* kept, EncodingSettings settings, runtime::BudgetScope& memory) {
  return kept == nullptr ? EncodingSession(std::move(settings), memory)
                         : kept->open(std::move(settings), memory);
}

}  // namespace molgauge::session
