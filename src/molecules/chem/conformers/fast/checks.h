#pragma once

#include "molecules/chem/conformers/fast/terms.h"

/// Checks of embedded positions. They are the checks of RDKit's ETKDG, and the double bonds. `at` points to
/// positions in at least three dimensions.
namespace molgauge::chem::fast {

/// Whether unspecified ring centres are tetrahedral.
bool are_tetrahedral(const EmbeddingTerms& terms, Points at);
/// Whether the chiral volumes are near their limits.
bool have_chiral_volumes(const EmbeddingTerms& terms, Points at);
/// Whether the chiral centres have all their distances within 10 % of their limits, and are between their
/// neighbours.
bool are_chiral_centres_sound(const EmbeddingTerms& terms, Points at);
/// Whether no angle was straightened between `before` and `at`. The energy of torsion preferences is singular
/// there, and a minimisation that reaches such a point stays.
bool are_angles_bent(const EmbeddingTerms& terms, Points before, Points at);
/// Whether chiral centres and double bonds have the right stereochemistry.
bool is_stereo_right(const std::vector<ChiralSet>& chiral, const std::vector<DoubleBond>& double_bonds,
                     Points at);

}  // namespace molgauge::chem::fast
