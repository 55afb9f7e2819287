// Writes MiniMol weights from a formula as a safetensors file. Tests of the program need weights, but not the
// published weights.

#include <cstdio>

#include "base/io/tensors/safetensors.h"
#include "minimol_fixtures.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: write_formula_weights FILE\n", stderr);
    return 2;
  }
  molgauge::io::write_safetensors(arguments[1], molgauge::test::formula_weights());
}
