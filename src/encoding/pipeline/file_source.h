#pragma once

#include <functional>
#include <memory>

#include "data/io/molecules/molecule_reader.h"
#include "encoding/pipeline/encode_molecules.h"

namespace headroom::pipeline {

using OpenReader = std::function<std::unique_ptr<io::MoleculeReader>()>;

/// The records of an input that can be opened more than once. A reader that runs out of memory within a
/// record has lost its position. A new one replaces it and skips the earlier records. Throws
/// InputError if these changed in the meantime. Throws Error with ExitCode::over_budget when the new one
/// cannot read the record either, and the exceptions of `open` and the reader. Opens the first reader at
/// once. Calls `see` with every row.
MoleculeSource reopening_source(OpenReader open, std::function<void(const io::MoleculeRow&)> see = {});

}  // namespace headroom::pipeline
