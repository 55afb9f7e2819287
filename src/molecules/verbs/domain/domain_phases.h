#pragma once

#include <string>
#include <vector>

#include "molecules/judging/saved_domain.h"
#include "molecules/verbs/domain/domain_needs.h"
#include "molgauge/domain.h"

namespace molgauge::verbs {

/// Bytes that stay in use after a chemprop model has predicted: RDKit's tables, the rules of standardisation,
/// and gaps in the heap. The largest measured value is 15 MiB.
inline constexpr std::uint64_t kLeftByPredicting = std::uint64_t{18} << 20;

/// The molecules of a call of `molgauge domain`, and the sizes of its phases. They are known before the first
/// phase begins.
struct DomainPhases {
  /// Molecules that the call encodes in one phase.
  struct Encoding {
    session::MoleculeList molecules;
    const char* which;               ///< for example ", the candidates"
    std::uint64_t bytes_beside = 0;  ///< other memory during this phase
  };
  std::vector<Encoding>
      encodings;  ///< in order: training and calibration molecules if they are read, candidates
  DomainSizes sizes;
};

/// The facts that determine the phases of a call.
struct DomainSetup {
  const domain::SavedDomain* saved;  ///< the saved domain of the request, or null
  DomainMethod method;
  Standardize mode;
  std::size_t width;          ///< width of the encoder
  std::size_t added_columns;  ///< columns with predictions of a chemprop model
  std::size_t threads;
};

/// Lists the molecules with `list`, which is list_molecules() or require_molecules(). Candidates that come
/// through a pipe are not known yet.
using ListMolecules = session::MoleculeList (*)(const std::string& path, const std::string& smiles_column,
                                                const std::string& name_column);
DomainPhases phases_of(const DomainRequest& request, const DomainSetup& setup, ListMolecules list);

/// Sets the sizes of the candidates.
void add_candidates(const session::MoleculeList& candidates, const DomainSetup& setup,
                    const DomainRequest& request, DomainSizes& sizes);

/// Returns the needs of all phases after the predictions of a chemprop model. `saved`: the saved domain of
/// the request, or null.
std::vector<runtime::MemoryRequirement> needs_after_predicting(const DomainRequest& request,
                                                               const domain::FeatureSource& source,
                                                               const domain::SavedDomain* saved);

}  // namespace molgauge::verbs
