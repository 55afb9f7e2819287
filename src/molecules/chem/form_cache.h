#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/core/hash.h"

namespace molgauge::chem {

/// A form of a molecule that depends only on the canonical SMILES of the molecule.
struct DerivedForm {
  std::string smiles;  ///< canonical SMILES, or empty if the form equals the molecule
  /// For each atom in the order of `smiles`: the position of the same atom in the SMILES of the molecule. The
  /// list is empty if RDKit lost track of the atoms.
  std::vector<std::uint16_t> positions;
};

/// The forms of up to kMaxCachedForms molecules. `molgauge domain` asks for each form twice: before it
/// encodes a molecule and before it compares the molecule. Large forms are not cached: an entry takes at most
/// kBytesOfCachedForm. Thread safety: any number of calls at once.
class FormCache {
 public:
  static constexpr std::size_t kMaxCachedForms = 8192, kMaxCharacters = 400, kMaxCachedAtoms = 100;
  /// Maximum bytes of a cached form, including its key, its node in the hash table and the overhead of three
  /// heap blocks.
  static constexpr std::size_t kBytesOfCachedForm =
      kMaxCharacters + kMaxCachedAtoms * sizeof(std::uint16_t) + sizeof(DerivedForm) + sizeof(Hash128) + 100;

  /// Returns the cached form of the molecule, or the result of `find`, which it then caches.
  template <typename Find>
  DerivedForm get(const std::string& smiles, const Find& find) {
    const Hash128 key = hash128(smiles);
    if (std::optional<DerivedForm> known = look_up(key)) {
      return *std::move(known);
    }
    DerivedForm form = find();
    keep(key, form);
    return form;
  }

 private:
  struct KeyHash {
    std::size_t operator()(const Hash128& key) const noexcept;
  };

  std::optional<DerivedForm> look_up(const Hash128& key) const;
  void keep(const Hash128& key, const DerivedForm& form);

  mutable std::mutex mutex_;
  std::unordered_map<Hash128, DerivedForm, KeyHash> forms_;
};

}  // namespace molgauge::chem
