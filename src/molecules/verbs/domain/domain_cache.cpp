#include "molecules/verbs/domain/domain_cache.h"

#include <algorithm>

#include "base/core/error.h"

namespace molgauge::verbs {

std::shared_ptr<const OpenDomain> DomainCache::open(const std::filesystem::path& folder,
                                                    std::size_t threads) {
  std::error_code absent;
  const auto written = std::filesystem::last_write_time(folder / "domain-manifest.json", absent);
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) { return kept.folder == folder; });
  if (found != kept_.end()) {
    if (!absent && found->written == written && found->threads == threads) {
      kept_.splice(kept_.begin(), kept_, found);
      return found->domain;
    }
    kept_.erase(found);
  }
  auto domain = std::make_shared<const OpenDomain>(domain::load_domain(folder, threads), threads);
  kept_.push_front({folder, written, threads, domain});
  if (kept_.size() > kMax) {
    kept_.pop_back();
  }
  return domain;
}

}  // namespace molgauge::verbs
