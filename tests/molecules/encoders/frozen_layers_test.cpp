// Tests the choice of frozen layers, and the cached inputs of the first trained layer.

#include "molecules/encoders/frozen_layers.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "molecules/encoders/unimol/frozen_part.h"
#include "support/fixtures.h"

namespace molgauge::encoders {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

std::vector<std::int64_t> trained(const std::string& text, std::int64_t layers) {
  const std::vector<bool> frozen = frozen_layers(parse_layers(text), layers);
  std::vector<std::int64_t> numbers;
  for (std::size_t layer = 0; layer < frozen.size(); ++layer) {
    if (!frozen[layer]) {
      numbers.push_back(static_cast<std::int64_t>(layer));
    }
  }
  return numbers;
}

TEST(FrozenLayers, HoldBothEndsOfARange) {
  EXPECT_EQ(trained("0-12", 15), (std::vector<std::int64_t>{13, 14}));
  EXPECT_EQ(trained("0", 3), (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(trained("0,2-3,5", 7), (std::vector<std::int64_t>{1, 4, 6}));
  EXPECT_EQ(trained("1", 13).size(), 12U) << "layer 1 is not layers 10 to 12";
  EXPECT_EQ(trained("none", 2), (std::vector<std::int64_t>{0, 1}));
}

TEST(FrozenLayers, RefuseWhatIsNoListOfLayersOfTheEncoder) {
  for (const char* const text : {"", "-", "0-", "-3", "3-1", "a", "0,", ",0", "0--2", "1.5", "0 - 2", "None",
                                 "99999999999999999999", "0-100001"}) {
    SCOPED_TRACE(text);
    EXPECT_THAT([&] { parse_layers(text); }, ThrowsMessage<UsageError>(HasSubstr("--freeze-layers")));
  }
  EXPECT_THAT([] { frozen_layers(parse_layers("0-15"), 15); },
              ThrowsMessage<UsageError>(HasSubstr("there is no layer 15. The encoder's layers are 0 to 14")));
  EXPECT_THAT([] { frozen_layers(parse_layers("0-14"), 15); },
              ThrowsMessage<UsageError>(HasSubstr("all 15 layers are frozen")));
}

TEST(FrozenLayers, AreMatchedExactlyByTheNamesOfParameters) {
  const unimol::FrozenPart frozen{frozen_layers(parse_layers("0-12"), 15)};
  EXPECT_EQ(frozen.first_trained(), 13);
  EXPECT_FALSE(frozen.trains("encoder.layers.1.fc1.weight"));
  EXPECT_FALSE(frozen.trains("encoder.layers.12.fc1.weight"));
  EXPECT_TRUE(frozen.trains("encoder.layers.13.fc1.weight"));
  EXPECT_TRUE(frozen.trains("encoder.layers.14.self_attn.in_proj.bias"));
  EXPECT_TRUE(frozen.trains("encoder.final_layer_norm.weight"));
  EXPECT_FALSE(frozen.trains("embed_tokens.weight")) << "frozen if any layer is";
  EXPECT_FALSE(frozen.trains("gbf.means.weight"));
  const unimol::FrozenPart in_between{frozen_layers(parse_layers("1"), 3)};
  EXPECT_EQ(in_between.first_trained(), 0);
  EXPECT_FALSE(in_between.trains("embed_tokens.weight"));
  EXPECT_TRUE(in_between.is_before_the_boundary("embed_tokens.weight"));
  EXPECT_FALSE(in_between.is_before_the_boundary("encoder.layers.1.fc1.weight"));
  const unimol::FrozenPart nothing{frozen_layers(parse_layers("none"), 3)};
  EXPECT_TRUE(nothing.trains("embed_tokens.weight"));
  EXPECT_TRUE(nothing.trains("gbf.means.weight"));
  EXPECT_FALSE(nothing.is_before_the_boundary("embed_tokens.weight"));
}

TEST(FrozenActivations, AreTheSameInMemoryAndOnDisk) {
  const test::TemporaryFolder folder;
  FrozenActivations in_memory, on_disk(folder / "");
  EXPECT_FALSE(in_memory.is_on_disk());
  EXPECT_TRUE(on_disk.is_on_disk());
  EXPECT_TRUE(std::filesystem::is_empty(folder / "")) << "the file has no name";
  std::vector<float> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 0.5F);
  const std::span<const float> all(numbers);
  for (FrozenActivations* const kept : {&in_memory, &on_disk}) {
    EXPECT_EQ(kept->append(all.first(10), all.subspan(10, 7)), 0U);
    EXPECT_EQ(kept->append({}, {}), 1U);
    EXPECT_EQ(kept->append(all.subspan(500), {}), 2U);
    EXPECT_EQ(kept->count(), 3U);
    EXPECT_EQ(kept->length(2), 500U);
    std::vector<float> read(9);
    kept->read(0, 8, read);
    EXPECT_TRUE(std::equal(read.begin(), read.end(), numbers.begin() + 8));
    kept->read(2, 491, read);
    EXPECT_TRUE(std::equal(read.begin(), read.end(), numbers.end() - 9));
    EXPECT_THROW(kept->read(0, 9, read), std::out_of_range);
  }
  EXPECT_THROW(FrozenActivations(folder / "missing"), Error);
}

}  // namespace
}  // namespace molgauge::encoders
