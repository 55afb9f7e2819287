#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/io/pickle/pickle_lookup.h"
#include "base/io/tensors/tensor_data.h"

namespace molgauge::io {

/// Returns the attributes of a PyTorch Geometric Data object, or null if the value has no attributes. In
/// pickles of versions 2.0 to 2.3, the attributes are in a store with a mapping. In later versions, they are
/// in a dict.
const PickleEntries* geometric_attributes(PickleRef data);

/// Returns the tensors of a Data object that torch.save wrote, by the names of its attributes. Skips other
/// attributes. The file is read as data (base/io/pickle/pickle_reader.h): nothing in it is executed, and
/// PyTorch Geometric is not needed. Throws InputError naming the file and the reason if it is another kind of
/// file, or if a tensor cannot be read.
TensorMap read_geometric_data(const std::filesystem::path& path);

}  // namespace molgauge::io
