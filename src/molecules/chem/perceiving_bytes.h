#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace molgauge::chem {

/// Upper bound of the peak bytes of perceive() in one thread, for a record with these numbers of atoms and
/// characters. Excludes the tables that RDKit builds once for each process. The numbers were measured on
/// RDKit 2022.09 with chains, rings, peptides, dendrimers, cages and salts of up to 2,000 atoms. RDKit's own
/// molecule takes up to 1 KiB for each atom, and its Morgan environments take up to 2 KiB for each atom. To
/// rank the neighbourhoods of stereocentres, RDKit makes half as many rounds as there are atoms. It keeps one
/// number for each atom and round.
constexpr std::uint64_t perceiving_bytes(std::size_t atoms, std::size_t characters) {
  constexpr std::uint64_t kMolecule = 16 << 10, kAtom = 3 << 10, kCharacter = 8;
  const std::uint64_t rounds = std::bit_ceil(std::uint64_t{atoms} / 2 + 2);
  return kMolecule + atoms * (kAtom + rounds * 2 * sizeof(std::int32_t)) + kCharacter * characters;
}

/// Upper bound of the bytes that describe() takes in addition to its result, in one thread, for a molecule of
/// this many atoms. RDKit stores numbers for each ordered pair of atoms. Measured on RDKit 2022.09 with
/// chains and rings of 300 to 1,200 atoms.
constexpr std::uint64_t describing_bytes(std::size_t atoms) {
  constexpr std::uint64_t kAtomPair = 40;
  return std::uint64_t{atoms} * atoms * kAtomPair;
}

}  // namespace molgauge::chem
