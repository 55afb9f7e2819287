#include "molecules/verbs/train/nci_molecules.h"

#include <cstdlib>

namespace molgauge::verbs {

std::filesystem::path nci_molecules_file() {
  const char* const base = std::getenv("RDBASE");
  return std::filesystem::path(base != nullptr ? base : "/usr/share/RDKit") / "Data/NCI/first_5K.smi";
}

}  // namespace molgauge::verbs
