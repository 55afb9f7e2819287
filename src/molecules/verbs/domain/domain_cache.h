#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <string>

#include "molecules/judging/judge.h"
#include "molecules/judging/saved_domain.h"

namespace molgauge::verbs {

/// A saved domain in memory, ready to judge.
struct OpenDomain {
  OpenDomain(domain::SavedDomain loaded, std::size_t threads)
      : saved(std::move(loaded)), judge(saved, threads) {}
  OpenDomain(const OpenDomain&) = delete;
  OpenDomain& operator=(const OpenDomain&) = delete;

  const domain::SavedDomain saved;
  const domain::Judge judge;
};

/// Caches the saved domains of recent in-memory calls. The memory is used until drop(). Not thread safe.
class DomainCache {
 public:
  static constexpr std::size_t kMax = 4;

  /// Returns the domain of the folder. Reads it again if its manifest was replaced. Throws the errors of
  /// domain::load_domain().
  std::shared_ptr<const OpenDomain> open(const std::filesystem::path& folder, std::size_t threads);
  void drop() { kept_.clear(); }

 private:
  struct Kept {
    std::filesystem::path folder;
    std::filesystem::file_time_type written;
    std::size_t threads = 0;
    std::shared_ptr<const OpenDomain> domain;
  };
  std::list<Kept> kept_;  ///< the most recently used domain comes first
};

}  // namespace molgauge::verbs
