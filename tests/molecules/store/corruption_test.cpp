// Tests a flipped bit anywhere in data.mdb. The store reports it, or continues without the damaged rows. It
// never crashes the process and never returns a wrong row.

#include <cstdlib>
#include <fstream>
#include <random>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "child_process.h"
#include "molecules/store/features/feature_store.h"
#include "molecules/store/lmdb/lmdb_pages.h"
#include "rows.h"
#include "support/fixtures.h"

namespace molgauge::store {
namespace {

using molgauge::test::TemporaryFolder;

constexpr std::size_t kPage = 4096;
constexpr std::size_t kWideRows = 400, kNarrowRows = 600;

FeatureTable wide(const FeatureStore& store) { return store.table(test::space_of(512)); }
FeatureTable narrow(const FeatureStore& store) { return store.table(test::space_of(4, "narrow")); }

/// Makes a store with rows on overflow pages, rows within leaves, trees of two levels, and free pages.
void make_store(const std::filesystem::path& folder) {
  const FeatureStore store = FeatureStore::open(folder, Access::write);
  const FeatureTable passing = store.table(test::space_of(512, "passing"));
  test::write_rows(passing, 0, 700);
  test::write_rows(wide(store), 0, kWideRows);
  test::write_rows(narrow(store), 0, kNarrowRows);
  store.prune(passing.name());
  test::write_rows(wide(store), 0, 10);
}

/// Runs `work`, which may succeed or throw. Returns false if it throws an error that does not name the
/// folder.
bool ends_well(const std::filesystem::path& folder, const std::function<void()>& work) {
  try {
    work();
    return !testing::Test::HasFailure();
  } catch (const InputError& refused) {
    return std::string(refused.what()).find(folder.string()) != std::string::npos;
  }
}

bool use(const std::filesystem::path& folder) {
  const bool reads = ends_well(folder, [&] {
    const FeatureStore store = FeatureStore::open(folder, Access::read);
    store.report();
    store.verify();
    test::count_right_rows(wide(store), 0, kWideRows);
    test::count_right_rows(narrow(store), 0, kNarrowRows);
  });
  const bool writes = ends_well(folder, [&] {
    const FeatureStore store = FeatureStore::open(folder, Access::write);
    test::write_rows(wide(store), 0, kWideRows);
    test::write_rows(narrow(store), kNarrowRows, 200);
    store.prune_damaged();
    store.prune(narrow(store).name());
    test::write_rows(wide(store), kWideRows, 300);
    EXPECT_EQ(test::count_right_rows(wide(store), 0, kWideRows + 300), kWideRows + 300);
  });
  // Using a damaged store does not damage it further.
  return reads && writes && ends_well(folder, [&] { FeatureStore::open(folder, Access::read).verify(); });
}

class Corruption : public testing::Test {
 protected:
  void SetUp() override {
    make_store(whole_.path());
    bytes_ = read_file(whole_ / "data.mdb");
  }

  std::vector<std::size_t> pages_with(std::uint16_t flag) const {
    std::vector<std::size_t> found;
    for (std::size_t page = 0; page < bytes_.size() / kPage; ++page) {
      const auto header = pages::load<pages::Header>(std::as_bytes(std::span(bytes_)), page * kPage);
      if (header.number == page && (header.flags & flag) != 0) {
        found.push_back(page);
      }
    }
    return found;
  }

  void expect_survives(std::size_t place, unsigned char mask) {
    const TemporaryFolder folder;
    std::string damaged = bytes_;
    damaged[place] = static_cast<char>(damaged[place] ^ mask);
    std::ofstream(folder / "data.mdb", std::ios::binary) << damaged;
    EXPECT_EQ(test::run_in_child([&] { return use(folder.path()); }), "exit 0")
        << "page " << place / kPage << ", byte " << place % kPage << ", mask " << int{mask};
  }

  /// Damages random places of pages of a kind, within their first `within` bytes.
  void expect_survives_in(std::uint16_t flag, std::size_t within, unsigned seed) {
    const auto pages = pages_with(flag);
    ASSERT_FALSE(pages.empty());
    std::mt19937 random(seed);
    const char* const wanted = std::getenv("MOLGAUGE_DAMAGED_STORES");
    const int cases = wanted != nullptr ? std::stoi(wanted) : 12;
    for (int i = 0; i < cases; ++i) {
      const std::size_t page = pages[random() % pages.size()];
      expect_survives(page * kPage + random() % within, static_cast<unsigned char>(1U << random() % 8U));
    }
  }

  TemporaryFolder whole_;
  std::string bytes_;
};

TEST_F(Corruption, OfAMetaPage) {
  expect_survives_in(pages::kMeta, sizeof(pages::Header) + sizeof(pages::Meta), 1);
}
TEST_F(Corruption, OfABranch) { expect_survives_in(pages::kBranch, 64, 2); }
TEST_F(Corruption, OfTheHeadOfALeaf) { expect_survives_in(pages::kLeaf, 64, 3); }
TEST_F(Corruption, AnywhereInALeaf) { expect_survives_in(pages::kLeaf, kPage, 4); }
TEST_F(Corruption, OfTheHeadOfARow) { expect_survives_in(pages::kOverflow, 32, 5); }

TEST_F(Corruption, OfAWholePage) {
  std::mt19937 random(6);
  for (const std::uint16_t flag : {pages::kMeta, pages::kBranch, pages::kLeaf, pages::kOverflow}) {
    const TemporaryFolder folder;
    std::string damaged = bytes_;
    const auto pages = pages_with(flag);
    std::generate_n(damaged.begin() + static_cast<std::ptrdiff_t>(pages[random() % pages.size()] * kPage),
                    kPage, [&] { return static_cast<char>(random()); });
    std::ofstream(folder / "data.mdb", std::ios::binary) << damaged;
    EXPECT_EQ(test::run_in_child([&] { return use(folder.path()); }), "exit 0") << "flag " << flag;
  }
}

TEST_F(Corruption, AWholeStoreIsUsedToTheFull) {
  EXPECT_EQ(test::run_in_child([&] {
              const FeatureStore store = FeatureStore::open(whole_.path(), Access::read);
              return test::count_right_rows(wide(store), 0, kWideRows) == kWideRows &&
                     test::count_right_rows(narrow(store), 0, kNarrowRows) == kNarrowRows &&
                     store.verify().damaged == 0;
            }),
            "exit 0");
}

}  // namespace
}  // namespace molgauge::store
