#pragma once

#include <cstddef>
#include <string>

namespace molgauge {

struct CountReport;

/// `molgauge count`: counts the records of a file of molecules.
struct CountRequest {
  using Report = CountReport;

  std::string molecules;  ///< input as in EncodeRequest
  std::string smiles_column = "smiles";
};

struct CountReport {
  std::size_t records = 0;
};

}  // namespace molgauge
