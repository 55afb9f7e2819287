// A C++ program that judges molecules in memory with a saved domain. It prints the verdict and the p-value of
// each molecule.
//
//   molgauge domain training.csv candidates.csv --save kept
//   judge_in_cpp kept store CCO c1ccccc1

#include <cmath>
#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "molgauge/engine.h"
#include "molgauge/error.h"

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: judge_in_cpp DOMAIN STORE [SMILES ...]\n";
    return 2;
  }
  molgauge::DomainRequest request;
  request.training = argv[1];
  request.store = argv[2];
  const std::vector<std::string> smiles(argv + 3, argv + argc);
  try {
    molgauge::Session session;
    for (const auto& molecule : molgauge::engine(session).judge_molecules(request, smiles).molecules) {
      std::printf("%s", to_string(molecule.verdict).c_str());
      if (!std::isnan(molecule.p_value)) {
        std::printf(" %.17g", molecule.p_value);
      }
      std::printf("\n");
    }
  } catch (const molgauge::Error& error) {
    std::cerr << error.what() << "\n";
    return static_cast<int>(error.code());
  }
}
