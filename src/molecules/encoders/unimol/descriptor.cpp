#include "molecules/encoders/unimol/descriptor.h"

#include <utility>

#include "base/core/session/log.h"
#include "molecules/encoders/installed_weights.h"
#include "molecules/encoders/placement.h"
#include "molecules/encoders/tuned_tensors.h"
#include "molecules/encoders/unimol/random_weights.h"

namespace molgauge::encoders::unimol {
namespace {

/// The published variants of the weights, as named in the file names: trained without hydrogens, and with
/// hydrogens.
constexpr const char* kHeavyAtoms = "no_h";
constexpr const char* kAllAtoms = "all_h";

std::unique_ptr<Encoder> make(const EncoderSettings& settings, ops::Precision precision) {
  if (precision == ops::Precision::bf16 && !ops::kernels_multiply_bf16()) {
    log_info(
        "--precision bf16: this CPU has no bf16 instructions and multiplies in fp32, which is not faster "
        "than fp32");
  }
  InstalledWeights installed = read_installed_weights(descriptor(), settings.weights);
  std::string tuned;
  if (!settings.tuned.empty()) {
    tuned = replace_by_tuned(installed.tensors, settings.tuned);
  }
  const UnimolOrigin origin = origin_of(installed, std::move(tuned));
  return std::make_unique<UnimolEncoder>(std::move(installed.tensors), origin,
                                         choice_of(settings.placement, precision, settings.fine));
}

}  // namespace

UnimolOrigin origin_of(const InstalledWeights& installed, std::string tuned) {
  return {.weights_sha256 = installed.sha256,
          .atoms = installed.variant == kAllAtoms ? chem::Coordinates::all : chem::Coordinates::heavy,
          .random_seed = installed.random_seed,
          .tuned = std::move(tuned)};
}

UnimolChoice choice_of(const PlacementOptions& placement, ops::Precision precision,
                       const AtomPairChoice& fine) {
  return {.precision = precision,
          .most_atoms = placement.max_atoms.value_or(kMaxAtoms),
          .takes_drawings = placement.conformer_fallback != ConformerFallback::fail,
          .engine = placement.conformer_engine == ConformerEngine::fast ? ConformerEngine::fast
                                                                        : ConformerEngine::exact,
          .fine = fine};
}

EncoderDescriptor descriptor() {
  EncoderDescriptor unimol;
  unimol.name = "unimol";
  unimol.summary = "Uni-Mol's features of 3D conformers, pretrained on 209 million conformers";
  unimol.width = static_cast<std::size_t>(NetworkShape{}.width);
  unimol.runs_on_gpu = true;
  unimol.can_be_tuned = true;
  unimol.needs_conformer = true;
  unimol.has_fine_features = true;
  unimol.precisions = {ops::Precision::fp32, ops::Precision::bf16, ops::Precision::int8};
  unimol.layer_width = NetworkShape{}.width;
  unimol.weights = {.encoder = "unimol",
                    .package = "",
                    .version = "",
                    .member = "",
                    .checkpoint_sha256 = "",
                    .where =
                        "The Uni-Mol project publishes mol_pre_no_h_220816.pt (heavy atoms) and "
                        "mol_pre_all_h_220816.pt (hydrogens, too) with the releases of deepmodeling/Uni-Mol "
                        "on GitHub and as dptech/Uni-Mol-Models on Hugging Face",
                    .variants = {kHeavyAtoms, kAllAtoms}};
  unimol.select_weights = select_tensors;
  unimol.make_random_weights = random_tensors;
  unimol.make = make;
  return unimol;
}

}  // namespace molgauge::encoders::unimol
