#pragma once

#include <functional>
#include <memory>

#include "molecules/encoding/pipeline/encode_molecules.h"
#include "molecules/files/molecule_reader.h"

namespace molgauge::pipeline {

using OpenReader = std::function<std::unique_ptr<io::MoleculeReader>()>;

/// Returns the records of an input that can be opened more than once. If a reader runs out of memory within a
/// record, it loses its position. A new reader then replaces it and skips the earlier records. The source
/// calls `see` with every row. The first reader is opened immediately.
///
/// Throws InputError if the earlier records have changed. Throws Error with ExitCode::over_budget if the new
/// reader cannot read the record either. Throws the exceptions of `open` and of the reader.
MoleculeSource reopening_source(OpenReader open, std::function<void(const io::MoleculeRow&)> see = {});

}  // namespace molgauge::pipeline
