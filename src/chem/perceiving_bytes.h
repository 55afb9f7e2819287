#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace headroom::chem {

/// Bytes that perceive() takes at its peak, in one thread, for a record of so many characters that has so
/// many atoms, at most; RDKit's tables, which are made once a process, not counted. Measured on RDKit
/// 2022.09 with chains, rings, peptides, dendrimers, cages and salts of up to 2,000 atoms: RDKit's own
/// molecule takes up to 1 KiB an atom, its Morgan environments twice that. Its ranking of the neighbourhoods
/// of stereocentres keeps one number for each atom and each round of half as many rounds as there are atoms.
constexpr std::uint64_t perceiving_bytes(std::size_t atoms, std::size_t characters) {
  constexpr std::uint64_t kMolecule = 16 << 10, kAtom = 3 << 10, kCharacter = 8;
  const std::uint64_t rounds = std::bit_ceil(std::uint64_t{atoms} / 2 + 2);
  return kMolecule + atoms * (kAtom + rounds * 2 * sizeof(std::int32_t)) + kCharacter * characters;
}

}  // namespace headroom::chem
