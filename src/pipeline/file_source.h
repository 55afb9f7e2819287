#pragma once

#include <functional>
#include <memory>

#include "io/molecules/molecule_reader.h"
#include "pipeline/encode_molecules.h"

namespace headroom::pipeline {

using OpenReader = std::function<std::unique_ptr<io::MoleculeReader>()>;

/// The records of an input that can be opened more than once. A reader that runs out of memory in the midst
/// of a record has lost its place; it is replaced by a fresh one, which skips the records that were given.
/// Throws Error with ExitCode::over_budget when the fresh one cannot read the record either, and what `open`
/// and the reader throw. The first reader is opened at once. `see` is called with every row that is given.
MoleculeSource reopening_source(OpenReader open, std::function<void(const io::MoleculeRow&)> see = {});

}  // namespace headroom::pipeline
