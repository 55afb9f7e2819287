// Limits of connections, uploads and costs, without a server.

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "headroom/error.h"
#include "serve/api_words.h"
#include "serve/body.h"
#include "serve/exchange.h"
#include "serve/list_cost.h"
#include "serve/open_connections.h"
#include "serve/unpacking.h"
#include "serve/upload_slots.h"
#include "support/fixtures.h"

namespace headroom::serve {
namespace {

TEST(UploadSlots, AreHalvedForEachClient) {
  UploadSlots slots(4);
  std::vector<std::unique_ptr<UploadSlots::Slot>> taken;
  for (const char* const client : {"a", "a", "b"}) {
    taken.push_back(slots.take(client, [] { ADD_FAILURE() << "an upload that has just begun goes on"; }));
    ASSERT_NE(taken.back(), nullptr);
  }
  EXPECT_EQ(slots.take("a", [] {}), nullptr);
  {
    const auto last = slots.take("c", [] {});
    EXPECT_NE(last, nullptr);
    EXPECT_EQ(slots.take("d", [] {}), nullptr) << "all are taken";
  }
  EXPECT_NE(slots.take("d", [] {}), nullptr);
  taken.clear();
  EXPECT_NE(slots.take("a", [] {}), nullptr);
}

TEST(UploadSlots, ASlowUploadIsReplaced) {
  UploadSlots slots(4);
  std::string ended;
  const auto quick = slots.take("a", [&] { ended += 'q'; });
  const auto slow = slots.take("a", [&] { ended += 's'; });
  quick->received(std::uint64_t{1} << 20);
  slow->received(1000);
  const auto later = UploadSlots::Clock::now() + std::chrono::seconds(3);
  const auto next = slots.take(
      "a", [&] { ended += 'n'; }, later);
  EXPECT_NE(next, nullptr);
  EXPECT_EQ(ended, "s");
  next->received(std::uint64_t{1} << 20);
  EXPECT_EQ(slots.take(
                "a", [] {}, later),
            nullptr)
      << "the others send fast enough";
}

TEST(OpenConnections, EndTheOneThatWaitedLongestForItsClient) {
  OpenConnections connections(3);
  std::string ended;
  const OpenConnections::Entry first(connections, [&] { ended += '1'; });
  OpenConnections::Entry computing(connections, [&] { ended += 'c'; });
  computing.enter(OpenConnections::Phase::computation);
  bool one_ended = false;
  EXPECT_TRUE(connections.make_room(one_ended));
  EXPECT_FALSE(one_ended);
  OpenConnections::Entry upload(connections, [&] { ended += 'u'; });
  upload.enter(OpenConnections::Phase::upload);
  EXPECT_TRUE(connections.make_room(one_ended));
  EXPECT_TRUE(one_ended);
  EXPECT_TRUE(connections.make_room(one_ended));
  EXPECT_EQ(ended, "1u") << "idle ones first";
  EXPECT_FALSE(connections.make_room(one_ended)) << "a computation goes on";
}

TEST(ApiWords, NameFieldsOfTheRequest) {
  EXPECT_EQ(in_api_words("name the one with the SMILES by --smiles-column"),
            "name the one with the SMILES by smiles_column");
  EXPECT_EQ(in_api_words("raise --memory-budget, or --threads"),
            "raise the server's memory-budget, or the server's threads");
  EXPECT_EQ(in_api_words("C--C -- and a-b --"), "C--C -- and a-b --");
}

TEST(ListCost, CountsAtomsAndTheCubeOfLargeMolecules) {
  EXPECT_EQ(cost_of("CCO"), 3U);
  EXPECT_EQ(cost_of("c1ccccc1Cl"), 7U);
  EXPECT_EQ(cost_of("[13CH4] |extension CCC|"), 1U);
  EXPECT_EQ(cost_of(std::string(100, 'C')), 100U);
  EXPECT_EQ(cost_of(std::string(2000, 'C')), 800'000U);
  EXPECT_GT(cost_of(std::string(1999, 'C')), kMostCostAtOnce);
}

TEST(Bodies, GoToAFileOnceTheyAreLong) {
  const test::TemporaryFolder folder;
  const auto place = [&] { return folder / "body"; };
  BodyWriter short_one(place);
  short_one.append("CCO\n");
  const auto in_memory = short_one.finish();
  EXPECT_TRUE(in_memory->is_in_memory());
  EXPECT_FALSE(std::filesystem::exists(folder / "body"));
  {
    const ReadableBody readable(*in_memory);
    EXPECT_EQ(read_file(readable.path()), "CCO\n");
  }
  {
    BodyWriter long_one(place);
    const std::string piece(100'000, 'C');
    long_one.append(piece);
    long_one.append(piece);
    const auto on_disk = long_one.finish();
    EXPECT_FALSE(on_disk->is_in_memory());
    EXPECT_EQ(on_disk->text(), piece + piece);
    EXPECT_EQ(on_disk->bytes(), 200'000U);
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "body")) << "it goes with the object";
  {
    BodyWriter aborted(place);
    aborted.append(std::string(200'000, 'C'));
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "body"));
  in_memory->move_to(folder / "moved");
  EXPECT_EQ(read_file(folder / "moved"), "CCO\n");
}

TEST(Bodies, ThatAreNotPackedStayAsTheyAre) {
  const auto body = std::make_shared<Body>(std::string("CCO"));
  EXPECT_EQ(unpacked(body, {.bytes = 1, .ratio = 1}, [] { return std::filesystem::path(); }), body);
}

}  // namespace
}  // namespace headroom::serve
