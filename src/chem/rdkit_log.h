#pragma once

#include <string>

namespace headroom::chem {

/// Prepares RDKit for use from several threads: silences its logs, which go to stderr, and parses one
/// molecule, because the tables it builds at first use are not built safely by several threads at once (RDKit
/// issue 5746). Call it before any other use of RDKit. Only the first call has an effect.
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

/// The reason that RDKit logs for not parsing a SMILES, for which it throws no exception: the first line,
/// without the time. Parses once more with the log on, alone. The calling thread must not hold a QuietRdkit.
std::string parser_complaint(const std::string& smiles);

}  // namespace headroom::chem
