#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/io/pickle/pickle_lookup.h"
#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

/// The attributes of a PyTorch Geometric Data object: a store and a mapping in pickles of versions 2.0 to
/// 2.3, a dict in later versions. Null if the value has no attributes.
const PickleEntries* geometric_attributes(PickleRef data);

/// The tensors of a Data object that torch.save wrote, by the names of its attributes. Other attributes are
/// skipped. Read as data (data/io/pickle/pickle_reader.h): nothing in the file is executed, and PyTorch
/// Geometric is not needed. Throws InputError naming the file and the reason if it is another kind of file,
/// or if a tensor cannot be read.
TensorMap read_geometric_data(const std::filesystem::path& path);

}  // namespace headroom::io
