// Tests a store with a damaged key in its tree. `encode` names a command that repairs the store when it is
// run once.

#include <cstring>
#include <regex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "base/core/hash.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using testing::HasSubstr;

/// Offsets of the row keys in the LMDB file.
std::vector<std::size_t> places_of_keys(const std::string& file, const std::vector<std::string>& smiles) {
  std::vector<std::size_t> places;
  for (const std::string& text : smiles) {
    const Hash128 key = hash128(text);
    const std::string bytes(reinterpret_cast<const char*>(key.data()), key.size());
    for (std::size_t place = file.find(bytes); place != std::string::npos;
         place = file.find(bytes, place + 1)) {
      places.push_back(place);
    }
  }
  return places;
}

TEST(DamagedStore, IsRepairedByTheCommandThatEncodeNames) {
  Workplace place;
  std::vector<std::string> smiles;
  std::string list;
  for (std::size_t i = 0; i < 300; ++i) {
    smiles.push_back(std::string(i % 30 + 1, 'C') + "N" + std::string(i / 30 + 1, 'C') + "O");
    list += smiles.back() + "\n";
  }
  const std::string molecules = place.file("molecules.smi", list), store = place.path("store");
  place.use_store(store);
  const auto encode = [&](const std::string& out) {
    return place.encode(molecules, {"--quiet", "--out", place.path(out)});
  };
  ASSERT_EQ(encode("undisturbed.npy").exit_code, 0);
  const std::string intact = read_file(store + "/data.mdb");
  std::size_t misled = 0, repaired = 0;
  for (const std::size_t key : places_of_keys(intact, smiles)) {
    std::string damaged = intact;
    damaged[key] = static_cast<char>(damaged[key] ^ 0x80);
    replace_file(store + "/data.mdb", damaged);
    const Outcome failed = encode("damaged.npy");
    if (failed.exit_code == 0) {
      EXPECT_EQ(read_file(place.path("damaged.npy")), read_file(place.path("undisturbed.npy")));
      continue;
    }
    std::smatch command;
    ASSERT_TRUE(std::regex_search(failed.err, command, std::regex("molgauge (store prune --damaged)")))
        << failed.err;
    EXPECT_THAT(failed.err, HasSubstr("with --store if the command has it"));
    // The message first recommends repeating the command. This may or may not help, so every second case
    // tries it.
    ++misled;
    if (misled % 2 == 0 && encode("repaired.npy").exit_code == 0) {
      EXPECT_EQ(read_file(place.path("repaired.npy")), read_file(place.path("undisturbed.npy")));
      continue;
    }
    EXPECT_EQ(molgauge({"store", "prune", "--damaged", "--store", store}).exit_code, 0);
    ASSERT_EQ(encode("repaired.npy").exit_code, 0);
    EXPECT_EQ(read_file(place.path("repaired.npy")), read_file(place.path("undisturbed.npy")));
    EXPECT_EQ(molgauge({"store", "verify", "--store", store}).exit_code, 0);
    if (++repaired == 3) {
      break;
    }
  }
  EXPECT_EQ(repaired, 3U) << "no damaged key misleads the search";
}

}  // namespace
}  // namespace molgauge::test
