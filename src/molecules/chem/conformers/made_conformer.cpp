#include "molecules/chem/conformers/made_conformer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include <RDGeneral/versions.h>

namespace molgauge::chem {
namespace {

static_assert(std::endian::native == std::endian::little, "conformers are packed as they lie in memory");

struct Header {
  std::uint8_t version = 1;
  std::uint8_t embedding = 0, refinement = 0;
  std::uint8_t made_by = 0;
  std::uint32_t atoms = 0;
};
static_assert(sizeof(Header) == 8);

using Place = std::array<float, 3>;

bool is_finite(const Place& place) {
  return std::isfinite(place[0]) && std::isfinite(place[1]) && std::isfinite(place[2]);
}

}  // namespace

std::string conformer_recipe(ConformerEngine engine) {
  const char* const own = engine == ConformerEngine::fast ? "fast;order=canonical;" : "";
  return std::string(own) + "etkdg;seed=42;mmff94;steps=200;rdkit=" + RDKit::rdkitVersion;
}

std::vector<std::byte> pack(const MadeConformer& made) {
  const auto elements = std::as_bytes(std::span(made.conformer.elements));
  const auto places = std::as_bytes(std::span(made.conformer.positions));
  const Header header{.embedding = static_cast<std::uint8_t>(made.embedding),
                      .refinement = static_cast<std::uint8_t>(made.refinement),
                      .made_by = static_cast<std::uint8_t>(made.made_by),
                      .atoms = static_cast<std::uint32_t>(elements.size())};
  std::vector<std::byte> bytes(sizeof(header) + elements.size() + places.size());
  std::memcpy(bytes.data(), &header, sizeof(header));
  const auto next = std::copy(elements.begin(), elements.end(), bytes.begin() + sizeof(header));
  std::copy(places.begin(), places.end(), next);
  return bytes;
}

std::optional<MadeConformer> unpack_conformer(std::span<const std::byte> bytes) {
  Header header;
  if (bytes.size() < sizeof(header)) {
    return std::nullopt;
  }
  std::memcpy(&header, bytes.data(), sizeof(header));
  const std::size_t atoms = header.atoms;
  if (header.version != Header().version ||
      header.made_by > static_cast<std::uint8_t>(MadeBy::exact_after_fast) ||
      header.embedding > static_cast<std::uint8_t>(Embedding::flat) ||
      header.refinement > static_cast<std::uint8_t>(Refinement::none) || atoms == 0 ||
      bytes.size() != sizeof(header) + atoms * (1 + sizeof(Place))) {
    return std::nullopt;
  }
  MadeConformer made;
  made.embedding = static_cast<Embedding>(header.embedding);
  made.refinement = static_cast<Refinement>(header.refinement);
  made.made_by = static_cast<MadeBy>(header.made_by);
  made.conformer.elements.resize(atoms);
  made.conformer.positions.resize(atoms);
  std::memcpy(made.conformer.elements.data(), bytes.data() + sizeof(header), atoms);
  std::memcpy(made.conformer.positions.data(), bytes.data() + sizeof(header) + atoms, atoms * sizeof(Place));
  for (const Place& place : made.conformer.positions) {
    if (!is_finite(place)) {
      return std::nullopt;
    }
  }
  return made;
}

Conformer without_hydrogens(const Conformer& conformer) {
  Conformer heavy;
  for (std::size_t i = 0; i < conformer.elements.size(); ++i) {
    if (conformer.elements[i] != 1) {
      heavy.elements.push_back(conformer.elements[i]);
      heavy.positions.push_back(conformer.positions[i]);
    }
  }
  return heavy;
}

}  // namespace molgauge::chem
