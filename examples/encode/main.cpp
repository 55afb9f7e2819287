// Example of a program that uses the library. It encodes a file of molecules with Morgan counts and reports
// the molecules that failed.
//
//   cmake -S examples/encode -B build/example && cmake --build build/example
//   build/example/encode_example molecules.smi features.npy store

#include <iostream>

#include "molgauge/engine.h"
#include "molgauge/error.h"

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: encode_example MOLECULES FEATURES.npy STORE\n";
    return 2;
  }
  molgauge::EncodeRequest request;
  request.molecules = argv[1];
  request.encoder = "ecfp";
  request.out = argv[2];
  request.store = argv[3];
  request.compute.quiet = true;
  try {
    molgauge::Session session;
    const molgauge::EncodeReport report = molgauge::engine(session).run(request);
    std::cout << report.rows << " rows of " << report.width << " numbers, " << report.failed_records
              << " failed\n";
    for (const molgauge::FailedMolecule& failed : report.failed) {
      std::cout << "line " << failed.line << ": " << failed.reason << "\n";
    }
  } catch (const molgauge::Error& error) {
    std::cerr << error.what() << "\n";
    return static_cast<int>(error.code());
  }
}
