#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/io/pickle/pickle_lookup.h"
#include "data/io/tensors/tensor_data.h"

namespace headroom::io {

/// The attributes of a PyTorch Geometric Data object: as versions 2.0 to 2.3 pickle it, with a store and a
/// mapping, or as later ones do, a dict. Null where the value has none.
const PickleEntries* geometric_attributes(PickleRef data);

/// The tensors of a Data object that torch.save wrote, by the names of its attributes; attributes that are no
/// tensors are passed over. Read as data (data/io/pickle/pickle_reader.h): nothing in the file is executed,
/// and PyTorch Geometric is not needed. Throws InputError naming the file and the reason where it is no such
/// file, or one of the tensors cannot be read.
TensorMap read_geometric_data(const std::filesystem::path& path);

}  // namespace headroom::io
