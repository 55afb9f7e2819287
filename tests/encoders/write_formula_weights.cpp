// Puts MiniMol's weights from a formula where installed ones lie: FOLDER/minimol. For tests of the program,
// which need weights but not the published ones.

#include <cstdio>
#include <filesystem>

#include "core/atomic_file.h"
#include "io/safetensors.h"
#include "minimol_fixtures.h"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: write_formula_weights FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = std::filesystem::path(arguments[1]) / "minimol";
  std::filesystem::create_directories(folder);
  headroom::io::write_safetensors(folder / "minimol.safetensors", headroom::test::formula_weights(), {});
  headroom::replace_file(folder / "manifest.json", R"({"sha256": "of a formula"})");
}
