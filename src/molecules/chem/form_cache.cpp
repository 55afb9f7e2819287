#include "molecules/chem/form_cache.h"

#include <cstring>

namespace molgauge::chem {

std::size_t FormCache::KeyHash::operator()(const Hash128& key) const noexcept {
  std::size_t part = 0;
  std::memcpy(&part, &key, sizeof part);
  return part;
}

std::optional<DerivedForm> FormCache::look_up(const Hash128& key) const {
  const std::lock_guard lock(mutex_);
  const auto known = forms_.find(key);
  return known == forms_.end() ? std::nullopt : std::optional(known->second);
}

void FormCache::keep(const Hash128& key, const DerivedForm& form) {
  if (form.smiles.size() > kMaxCharacters || form.positions.size() > kMaxCachedAtoms) {
    return;
  }
  const std::lock_guard lock(mutex_);
  if (forms_.size() == kMaxCachedForms) {
    forms_.erase(forms_.begin());
  }
  forms_.emplace(key, form);
}

}  // namespace molgauge::chem
