#include <vector>

#include "fuzzed.h"
#include "models/encoders/chemprop/checkpoint.h"
#include "models/encoders/chemprop/chemprop_encoder.h"

/// Reads a checkpoint of chemprop. If it is valid, predicts a molecule with it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom::encoders;
  return headroom::fuzz::allow_input_errors([&] {
    chemprop::ModelSet set;
    set.files = {headroom::fuzz::file_of(data, size, "model.pt")};
    set.models = {chemprop::read_model(set.files[0])};
    const chemprop::ChempropEncoder encoder(set, chemprop::RowContent::predictions);
    const auto molecule = encoder.stand_in({.tokens = 4, .pairs = 8});
    const FeaturisedMolecule* const batch[] = {molecule.get()};
    std::vector<float> row(encoder.width());
    encoder.encode(batch, row);
  });
}
