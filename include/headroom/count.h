#pragma once

#include <cstddef>
#include <string>

namespace headroom {

struct CountReport;

/// `headroom count`: counts the records of a molecule file without parsing the molecules.
struct CountRequest {
  using Report = CountReport;

  std::string molecules;  ///< input as in EncodeRequest::molecules
  std::string smiles_column = "smiles";
};

struct CountReport {
  std::size_t records = 0;
  std::size_t refused = 0;  ///< records whose text alone shows that they are invalid
};

}  // namespace headroom
