// Tests the limits of connections, uploads and costs without a server.

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "molgauge/error.h"
#include "server/body.h"
#include "server/exchange.h"
#include "server/list_cost.h"
#include "server/open_connections.h"
#include "server/unpacking.h"
#include "server/upload_slots.h"
#include "support/fixtures.h"

namespace molgauge::serve {
namespace {

using Taken = std::vector<std::unique_ptr<UploadSlots::Slot>>;

const ClientSide kGoesOn{.end = [] { ADD_FAILURE() << "an upload that continues was ended"; }};
const ClientSide kAny{.end = [] {}};

/// Returns a client that adds a letter to `ended` when its connection is ended.
ClientSide noted(std::string& ended, char letter) {
  return {.end = [&ended, letter] { ended += letter; }};
}

TEST(UploadSlots, AreHalvedForEachClientOfAnotherMachine) {
  UploadSlots slots(4);
  Taken taken;
  for (const char* const client : {"a", "a", "b"}) {
    taken.push_back(slots.take(client, kGoesOn));
    ASSERT_NE(taken.back(), nullptr);
  }
  EXPECT_EQ(slots.take("a", kAny), nullptr);
  {
    const auto last = slots.take("c", kAny);
    EXPECT_NE(last, nullptr);
    EXPECT_EQ(slots.take("d", kAny), nullptr) << "all are taken";
  }
  EXPECT_NE(slots.take("d", kAny), nullptr);
  taken.clear();
  EXPECT_NE(slots.take("a", kAny), nullptr);
}

TEST(UploadSlots, OfThisMachineAreLimitedInTotalAlone) {
  UploadSlots slots(4);
  Taken taken;
  for (int i = 0; i < 4; ++i) {
    taken.push_back(slots.take("", kGoesOn));
    ASSERT_NE(taken.back(), nullptr);
  }
  EXPECT_EQ(slots.take("", kAny), nullptr);
  EXPECT_EQ(slots.take("a", kAny), nullptr);
}

TEST(UploadSlots, TheUploadThatIsSilentLongestIsReplaced) {
  UploadSlots slots(3);
  std::string ended;
  const auto begun = UploadSlots::Clock::now();
  const auto at = [&](int milliseconds) { return begun + std::chrono::milliseconds(milliseconds); };
  const auto silent = slots.take("", noted(ended, 's'), at(0));
  const auto honest = slots.take("", kGoesOn, at(0));
  const auto later = slots.take("", noted(ended, 'l'), at(10));
  // If the first piece that a client sends is large, the client must still continue to send.
  silent->received(std::uint64_t{1} << 20, at(1));
  later->received(std::uint64_t{1} << 20, at(11));
  EXPECT_EQ(slots.take("", kGoesOn, at(40)), nullptr) << "no client has been silent for long";
  for (int i = 1; i <= 4; ++i) {
    honest->received(static_cast<std::uint64_t>(i) * 100'000, at(100 * i));
  }
  const auto next = slots.take("", kGoesOn, at(400));
  EXPECT_NE(next, nullptr);
  EXPECT_EQ(ended, "s");
  const auto last = slots.take("", kGoesOn, at(401));
  EXPECT_NE(last, nullptr);
  EXPECT_EQ(ended, "sl");
  EXPECT_EQ(slots.take("", kGoesOn, at(402)), nullptr);
}

/// The bytes are still unread because the server is busy, so the client is not at fault.
TEST(UploadSlots, AnUploadWithUnreadBytesIsNotSilent) {
  UploadSlots slots(2);
  std::string ended;
  const auto begun = UploadSlots::Clock::now();
  ClientSide late = kGoesOn;
  late.has_unread = [] { return true; };
  const auto honest = slots.take("", late, begun);
  const auto stalled = slots.take("", noted(ended, 's'), begun + std::chrono::seconds(4));
  EXPECT_NE(slots.take("", kGoesOn, begun + std::chrono::seconds(5)), nullptr);
  EXPECT_EQ(ended, "s");
}

TEST(UploadSlots, AnUploadThatTricklesIsReplaced) {
  UploadSlots slots(2);
  std::string ended;
  const auto begun = UploadSlots::Clock::now();
  const auto trickle = slots.take("", noted(ended, 't'), begun);
  const auto honest = slots.take("", kGoesOn, begun);
  for (int i = 1; i <= 30; ++i) {
    const auto now = begun + std::chrono::milliseconds(100 * i);
    trickle->received(100'000 + static_cast<std::uint64_t>(i), now);
    honest->received(static_cast<std::uint64_t>(i) * 10'000, now);
    if (i == 9) {
      EXPECT_EQ(slots.take("", kGoesOn, now), nullptr) << "too early to tell";
    }
  }
  EXPECT_NE(slots.take("", kGoesOn, begun + std::chrono::milliseconds(3050)), nullptr);
  EXPECT_EQ(ended, "t");
}

TEST(OpenConnections, EndTheOneWhoseClientIsSilentLongest) {
  OpenConnections connections(3);
  std::string ended;
  const auto now = OpenConnections::Clock::now();
  OpenConnections::Entry upload(connections, noted(ended, 'u'));
  OpenConnections::Entry computing(connections, noted(ended, 'c'));
  computing.compute();
  bool one_ended = false;
  EXPECT_TRUE(connections.make_room(one_ended));
  EXPECT_FALSE(one_ended);
  OpenConnections::Entry fresh(connections, noted(ended, 'f'));
  upload.wait_for_client(now + std::chrono::seconds(1));
  fresh.wait_for_client(now + std::chrono::seconds(2));
  EXPECT_TRUE(connections.make_room(one_ended));
  EXPECT_TRUE(one_ended);
  EXPECT_EQ(ended, "u") << "a new connection that has sent nothing yet is not ended before a stalled upload";
  EXPECT_TRUE(connections.make_room(one_ended));
  EXPECT_EQ(ended, "uf");
  EXPECT_FALSE(connections.make_room(one_ended)) << "a computation continues";
}

/// The message of the answer to an error of the engine.
std::string answered(const std::string& message) {
  try {
    throw UsageError(message);
  } catch (...) {
    return nlohmann::json::parse(failure_answer().body).at("error").at("message");
  }
}

TEST(FailureAnswer, NamesFieldsOfTheRequest) {
  EXPECT_EQ(answered("name the one with the SMILES by --smiles-column"),
            "name the one with the SMILES by smiles_column");
  EXPECT_EQ(answered("raise --memory-budget, or --threads"),
            "raise the server's memory-budget, or the server's threads");
  EXPECT_EQ(answered("C--C -- and a-b --"), "C--C -- and a-b --");
}

TEST(ListCost, CountsAtomsAndTheCubeOfLargeMolecules) {
  EXPECT_EQ(cost_of("CCO"), 3U);
  EXPECT_EQ(cost_of("c1ccccc1Cl"), 7U);
  EXPECT_EQ(cost_of("[13CH4] |extension CCC|"), 1U);
  EXPECT_EQ(cost_of(std::string(100, 'C')), 100U);
  EXPECT_EQ(cost_of(std::string(2000, 'C')), 800'000U);
  EXPECT_GT(cost_of(std::string(1999, 'C')), kMaxCostAtOnce);
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
  EXPECT_FALSE(std::filesystem::exists(folder / "body")) << "it ends with the object";
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
}  // namespace molgauge::serve
