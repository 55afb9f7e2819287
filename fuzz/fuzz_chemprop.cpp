#include <vector>

#include "fuzzed.h"
#include "molecules/encoders/chemprop/checkpoint.h"
#include "molecules/encoders/chemprop/chemprop_encoder.h"

/// Reads a checkpoint of chemprop. If the checkpoint is valid, predicts a molecule with it.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace molgauge::encoders;
  return molgauge::fuzz::allow_input_errors([&] {
    chemprop::ModelSet set;
    set.files = {molgauge::fuzz::file_of(data, size, "model.pt")};
    set.models = {chemprop::read_model(set.files[0])};
    const chemprop::ChempropEncoder encoder(
        set, set.descriptors() > 0 ? chemprop::RowContent::fingerprints : chemprop::RowContent::predictions);
    const auto molecule = encoder.stand_in({.tokens = 4, .pairs = 8});
    const FeaturisedMolecule* const batch[] = {molecule.get()};
    std::vector<float> row(encoder.width());
    encoder.encode(batch, row);
    if (set.descriptors() > 0) {
      set.ensembles = {{.head = set.models[0].head, .tasks = set.models[0].tasks, .members = 1}};
      std::vector<float> predictions(set.width());
      encoder.predict(row, std::vector<double>(set.descriptors(), 1.0), predictions);
    }
  });
}
