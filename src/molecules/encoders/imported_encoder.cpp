#include "molecules/encoders/imported_encoder.h"

#include <stdexcept>
#include <utility>

#include "base/core/error.h"

namespace molgauge::encoders {

ImportedEncoder::ImportedEncoder(EncoderIdentity identity, std::size_t width, std::string name)
    : identity_(std::move(identity)), width_(width), name_(std::move(name)) {}

std::unique_ptr<FeaturisedMolecule> ImportedEncoder::featurise(const chem::Molecule&) const {
  throw InputError("has no row among the imported features '" + name_ +
                   "'. Import a file that has it with 'molgauge store import', or leave out --features");
}

void ImportedEncoder::encode(std::span<const FeaturisedMolecule* const>, std::span<float>) const {
  throw std::logic_error("ImportedEncoder::encode: imported rows are not computed");
}

}  // namespace molgauge::encoders
