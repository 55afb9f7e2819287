#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "molecules/chem/rdkit_2d/sets.h"
#include "molecules/encoders/chemprop/ensemble.h"
#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/verbs/predict/descriptor_columns.h"
#include "molgauge/predict.h"

namespace molgauge::verbs {

/// Returns the list of RDKit descriptors with this length, or nothing.
std::optional<chem::rdkit_2d::Set> rdkit_2d_of(std::size_t descriptors);

/// The origin of the descriptors of a model.
struct DescriptorChoice {
  std::vector<std::string> columns;             ///< columns of the molecules
  std::optional<chem::rdkit_2d::Set> computed;  ///< if set, the descriptors are computed
};

/// Chooses the origin from --descriptor-columns and the models. The value rdkit_2d or v1_rdkit_2d selects
/// computed descriptors. Models of chemprop 1 name the generator themselves. Throws UsageError if the models
/// take another number of descriptors.
DescriptorChoice choose_descriptors(const std::vector<std::string>& given,
                                    const encoders::chemprop::ModelSet& set);

/// Returns a source that computes the descriptors. `molecules`: the records as drawn. `request`: standardises
/// them and names the file in messages.
DescriptorSource computed_descriptors(pipeline::MoleculeSource molecules, const PredictRequest& request,
                                      chem::rdkit_2d::Set set);

/// Bytes that computed descriptors need, or 0 if the models cannot take any.
std::uint64_t bytes_of_computed_descriptors(const encoders::chemprop::ModelSet& set,
                                            const session::MoleculeList& molecules, std::size_t threads);

}  // namespace molgauge::verbs
