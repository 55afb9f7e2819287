#pragma once

#include <string>

namespace molgauge::chem {

/// Prepares RDKit for use from several threads: silences its logs on stderr and parses one molecule. Parsing
/// builds tables that several threads must not build at the same time (RDKit issue 5746). Call it before any
/// other use of RDKit. Only the first call has an effect.
void prepare_rdkit();

/// Held while a thread works with RDKit. It keeps messages of other threads out of the log that
/// parser_complaint() reads. Any number of threads may hold one at once.
class QuietRdkit {
 public:
  QuietRdkit();
  ~QuietRdkit();
  QuietRdkit(const QuietRdkit&) = delete;
  QuietRdkit& operator=(const QuietRdkit&) = delete;
};

/// Returns the reason why RDKit cannot parse a SMILES: the first line of the log, without the time. RDKit
/// throws no exception in this case, so the SMILES is parsed again with the log switched on, while no other
/// thread uses RDKit. The calling thread must not hold a QuietRdkit.
std::string parser_complaint(const std::string& smiles);

}  // namespace molgauge::chem
