#pragma once

#include <filesystem>
#include <memory>

#include "base/io/bytes/random_access.h"
#include "molecules/encoders/chemprop/model.h"

namespace molgauge::encoders::chemprop {

/// Reads a checkpoint of chemprop as data. No code in it is executed.
/// - Version 1: .pt with `args`, `state_dict` and scalers.
/// - Version 2: .pt or Lightning's .ckpt with `hyper_parameters` and `state_dict`.
///
/// Throws InputError with the file, the reason and a remedy if the file is damaged, or if the model has a
/// part that is not supported: spectral heads, reactions, several components, attentive aggregation, atom or
/// bond descriptors, generated features, added hydrogens, models of version 1 with --bias. Also throws
/// InputError if the file refers to code that does not belong to such checkpoints.
Model read_model(const std::filesystem::path& file);
/// Reads a model from the bytes of a file. Error messages contain the name of `bytes`.
Model read_model(std::unique_ptr<io::RandomAccess> bytes);

}  // namespace molgauge::encoders::chemprop
