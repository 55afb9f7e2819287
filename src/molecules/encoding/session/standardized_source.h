#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "molecules/chem/standardize.h"
#include "molecules/encoding/pipeline/encode_molecules.h"

namespace molgauge::session {

/// Returns how records are standardised before they are encoded. `features`: the value of --features, or
/// empty for native. Records with imported features are not changed, because the features belong to the
/// molecules as drawn and cannot be computed again.
chem::Standardization standardize_before_encoding(chem::Standardization mode, const std::string& features);

/// Returns the records of `source` after standardisation (chem::standardized_record) in up to `threads`
/// threads. A refused record is marked as unreadable, with the reason. Reads up to 512 records or 1 MiB of
/// text ahead. If `source` throws, the records before the exception are returned first. `changed`: the number
/// of records that standardisation changed is added to it, unless it is null. It must outlive the source.
pipeline::MoleculeSource standardized_source(pipeline::MoleculeSource source, chem::Standardization mode,
                                             std::size_t threads, std::size_t* changed = nullptr);

/// Returns the records after standardisation, for records in memory.
std::vector<chem::MoleculeRecord> standardized_records(std::span<const chem::MoleculeRecord> records,
                                                       chem::Standardization mode, std::size_t threads);

/// Upper limit of the additional bytes while `threads` threads standardise `records` molecules. They include
/// the cached standardised forms, and for each thread the tautomers of one molecule in RDKit. The bytes of
/// tautomers were measured with the largest molecules whose tautomers are enumerated (100 atoms).
std::uint64_t bytes_of_standardizing(Standardize mode, std::size_t threads, std::size_t records);

}  // namespace molgauge::session
