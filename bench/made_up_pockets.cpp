// made_up_pockets FOLDER COMPLEXES MODELS LEAST_ATOMS MOST_ATOMS WIDTH: writes graphs of folded chains to
// FOLDER/graphs, and the rows of their ligands to FOLDER/ligands.h5. The rows are a known function of the
// bend and the charge of a chain (bench/pocket_learning.py).

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "made_up_set.h"

int main(int argc, char** argv) {
  if (argc != 7) {
    std::fprintf(stderr, "made_up_pockets FOLDER COMPLEXES MODELS LEAST_ATOMS MOST_ATOMS WIDTH\n");
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    const molgauge::io::KeyedRows rows =
        molgauge::test::make_up_set(folder / "graphs", std::atoi(argv[2]), std::atoi(argv[3]),
                                    std::atoi(argv[4]), std::atoi(argv[5]), std::atoi(argv[6]));
    molgauge::io::write_keyed_rows(folder / "ligands.h5", rows);
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    return 1;
  }
}
