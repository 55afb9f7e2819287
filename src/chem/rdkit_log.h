#pragma once

#include <string>

namespace headroom::chem {

/// Readies RDKit for use from several threads: silences its logs, which go to stderr, and parses one
/// molecule, because the tables it builds at first use are not built safely by several threads at once (RDKit
/// issue 5746). Call before anything of RDKit; only the first call does anything.
void prepare_rdkit();

/// Held while a thread works with RDKit, so that no other thread's messages mix with those read by
/// parser_complaint(). Any number of threads may hold one at once.
class QuietRdkit {
 public:
  QuietRdkit();
  ~QuietRdkit();
  QuietRdkit(const QuietRdkit&) = delete;
  QuietRdkit& operator=(const QuietRdkit&) = delete;
};

/// What RDKit logs as the reason for not parsing a SMILES, which it gives no exception for: the first line,
/// without the time. Parses once more with the log on, alone. The calling thread must not hold a QuietRdkit.
std::string parser_complaint(const std::string& smiles);

}  // namespace headroom::chem
