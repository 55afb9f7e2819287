#include <fstream>

#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "base/core/json/sealed_json.h"
#include "fuzzed.h"
#include "molecules/judging/saved_domain.h"
#include "molecules/store/weights/sha256.h"

namespace {

using namespace molgauge;

constexpr std::size_t kMolecules = 40, kWidth = 3;
constexpr const char* kFiles[] = {"domain-manifest.json", "molecules.csv", "domain.safetensors"};

domain::Molecules molecules_of(std::size_t count) {
  domain::Molecules molecules;
  molecules.width = kWidth;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < kWidth; ++j) {
      molecules.features.push_back(static_cast<float>((i * 7 + j * 5) % 11) - 4);
    }
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> environments = {
        {1, 1 + i % 3}, {10 + i % 5, 1}, {100 + i, 2}};
    molecules.environments.append(environments);
    molecules.properties.push_back({{static_cast<float>(20 + i % 9), 2, 0}, {}});
  }
  return molecules;
}

/// Writes a valid folder. Later, one of its files is replaced by the fuzzed input.
void save_whole(const std::filesystem::path& folder) {
  domain::SavedDomain saved;
  saved.source = {"ecfp", "native", "ecfp:0"};
  for (std::size_t i = 0; i < kMolecules; ++i) {
    const std::string text(i % 9 + 1, 'C');
    saved.notes.names.push_back(std::to_string(i));
    saved.notes.smiles.push_back(text);
    saved.notes.canonical_smiles.push_back(text);
    saved.notes.keys.emplace_back();
    saved.notes.scaffolds.push_back(std::to_string(i % 8));
  }
  saved.domain = std::make_shared<const domain::CalibratedDomain>(
      molecules_of(kMolecules), saved.notes.scaffolds, std::vector<Hash128>(), saved.settings);
  domain::save_domain(saved, folder);
}

/// Makes the checksums in the manifest right. Otherwise changed files would be refused before they are
/// parsed.
void admit(const std::filesystem::path& folder, const std::string& file) {
  const std::filesystem::path manifest = folder / kFiles[0];
  auto fields = nlohmann::json::parse(read_file(manifest), nullptr, /*allow_exceptions=*/false);
  if (!fields.is_object()) {
    return;
  }
  if (file != kFiles[0]) {
    fields["sha256"][file] = store::sha256_of_file(folder / file);
  }
  fields.erase("checksum");
  std::ofstream(manifest) << sealed(fields).dump();
}

}  // namespace

/// The first byte of the input chooses the file. The other bytes become the content of the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string name = kFiles[data[0] % 3];
  const std::filesystem::path folder = fuzz::file_of(data, 0, "whole").parent_path() / "domain";
  save_whole(folder);
  std::ofstream(folder / name, std::ios::binary)
      .write(reinterpret_cast<const char*>(data + 1), static_cast<std::streamsize>(size - 1));
  admit(folder, name);
  return fuzz::allow_input_errors([&] {
    const domain::SavedDomain saved = domain::load_domain(folder, /*threads=*/1);
    if (saved.domain->training().width == kWidth) {
      saved.domain->score(molecules_of(4));
    }
  });
}
