#include "base/io/tensors/checkpoint.h"

#include <limits>
#include <span>

#include <gmock/gmock.h>

#include "base/core/session/cancellation.h"
#include "base/io/bytes/zip_writer.h"
#include "base/io/tensors/checkpoint_archive.h"
#include "base/io/tensors/checkpoint_tensor.h"
#include "damage.h"
#include "files.h"
#include "hand_made_zip.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;

void read_checkpoint_of(std::vector<std::byte> bytes) {
  read_checkpoint(random_access_in_memory("x.pth", std::move(bytes)));
}

/// Reads a checkpoint that contains only this pickle.
void read_checkpoint_with(const std::string& pickle) {
  const test::TemporaryFolder folder;
  ZipWriter writer(folder / "x.pt");
  writer.add("x/data.pkl", std::as_bytes(std::span(pickle)));
  writer.finish();
  read_checkpoint(folder / "x.pt");
}

TensorView float_view(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides,
                      std::int64_t offset = 0) {
  return {DataType::float32, "0", 6, offset, std::move(shape), std::move(strides)};
}

std::vector<float> gathered(const TensorView& view) {
  const std::vector<float> numbers = {0, 1, 2, 3, 4, 5};
  return gather(view, TensorData::from_float32({6}, numbers.data()).bytes, "t").to_float32();
}

TEST(Checkpoint, TakesTheModelsPartAndEveryType) {
  const TensorMap tensors = read_checkpoint(test::own_data("io/checkpoint.pth"));
  ASSERT_EQ(tensors.size(), 11u);
  EXPECT_THAT(tensors.at("layer.weight").shape, ElementsAre(3, 4));
  EXPECT_THAT(tensors.at("layer.weight").to_float32(),
              ElementsAre(0, .25, .5, .75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75));
  EXPECT_THAT(tensors.at("layer.transposed").shape, ElementsAre(4, 3));
  EXPECT_THAT(tensors.at("layer.transposed").to_float32(),
              ElementsAre(0, 1, 2, .25, 1.25, 2.25, .5, 1.5, 2.5, .75, 1.75, 2.75));
  EXPECT_THAT(tensors.at("layer.half").to_float32(), ElementsAre(1.5f, -2.25f, 65504.0f, 0x1p-24f));
  EXPECT_THAT(tensors.at("layer.bfloat").to_float32(), ElementsAre(1.0f, -3.0f));
  EXPECT_EQ(tensors.at("layer.double").type, DataType::float64);
  EXPECT_TRUE(tensors.at("layer.counter").shape.empty());
  EXPECT_THAT(tensors.at("layer.counter").to_float32(), ElementsAre(7.0f));
  EXPECT_THAT(tensors.at("layer.mask").to_float32(), ElementsAre(1.0f, 0.0f, 1.0f));
  EXPECT_THAT(tensors.at("layer.parameter").to_float32(), ElementsAre(1.0f, 2.0f));
  EXPECT_THAT(tensors.at("shared.head").to_float32(), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(tensors.at("shared.every_third").to_float32(), ElementsAre(1, 4, 7));
  EXPECT_THAT(tensors.at("empty").shape, ElementsAre(0, 3));
}

/// Sixty dicts with long keys. Each dict contains the former dict twice, so there are 2^60 names.
TEST(Checkpoint, SharedDictsWithLongKeysEndSoon) {
  std::string pickle("\x80\x02}q\x00", 5);
  for (char i = 1; i < 60; ++i) {
    pickle += "0}(";
    for (const char letter : {'a', 'b'}) {
      pickle +=
          std::string("X\xe8\x03\x00\x00", 5) + std::string(1000, letter) + 'h' + static_cast<char>(i - 1);
    }
    pickle += std::string("uq") + i;
  }
  pickle += '.';
  EXPECT_THAT(error_of([&] { read_checkpoint_with(pickle); }), HasSubstr("has too many values"));
}

/// A pickle with many small values needs much memory.
TEST(Checkpoint, ManyValuesAreRefused) {
  std::string pickle("\x80\x02](", 4);
  pickle += std::string(kModelLimits.values + 10, '}') + "e.";
  EXPECT_NE(error_of([&] { read_checkpoint_with(pickle); }), "");
}

/// Each name of a class copies two texts of a megabyte, but takes five bytes of the file.
TEST(Checkpoint, CopiesOfLongTextsAreRefused) {
  const std::uint32_t length = 1'000'000;
  const std::string size(reinterpret_cast<const char*>(&length), sizeof length);
  std::string pickle =
      std::string("\x80\x04X", 3) + size + std::string(length, 'm') + std::string("q\x00](", 4);
  for (int i = 0; i < 100'000; ++i) {
    pickle += std::string("h\x00h\x00\x93", 5);
  }
  pickle += "e.";
  EXPECT_THAT(error_of([&] { read_checkpoint_with(pickle); }), HasSubstr("need more memory than is allowed"));
}

TEST(Checkpoint, CanBeCancelledWhileItIsRead) {
  std::string pickle("\x80\x02(", 3);
  for (int i = 0; i < 200'000; ++i) {
    pickle += "}0";
  }
  pickle += "}1.";
  request_cancellation();
  EXPECT_THROW(read_checkpoint_with(pickle), Interrupted);
  request_cancellation(false);
}

TEST(Checkpoint, JoinsNestedNamesWithDots) {
  const TensorMap tensors = read_checkpoint(test::own_data("io/nested.pth"));
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_THAT(tensors.at("blocks.0.w").to_float32(), ElementsAre(1, 1));
  EXPECT_THAT(tensors.at("blocks.1.w").to_float32(), ElementsAre(0));
}

TEST(Checkpoint, SaysHowToConvertWhatIsNotRead) {
  EXPECT_THAT(error_of([] { read_checkpoint(test::own_data("io/before_1_6.pth")); }),
              HasSubstr("torch.load("));
  EXPECT_THAT(error_of([] { read_checkpoint(test::own_data("io/program.pt")); }),
              HasSubstr("torch.jit.load"));
  EXPECT_THAT(error_of([] { read_checkpoint(test::own_data("io/arrays.npz")); }),
              HasSubstr("without data.pkl"));
  EXPECT_THAT(error_of([] { read_checkpoint(test::own_data("io/half.npy")); }),
              HasSubstr("is not a PyTorch checkpoint"));
}

TEST(Checkpoint, LimitsHold) {
  const auto path = test::own_data("io/checkpoint.pth");
  EXPECT_THROW(read_checkpoint(path, {100, 1000}), InputError);
  EXPECT_THROW(read_checkpoint(path, {1000, 3}), InputError);
}

TEST(Checkpoint, SurvivesDamage) {
  const auto bytes = test::bytes_of_file(test::own_data("io/nested.pth"));
  test::expect_refused_when_truncated(bytes, read_checkpoint_of);
  EXPECT_GT(test::expect_survives_bit_flips(bytes, read_checkpoint_of), 0u);
}

TEST(CheckpointTensor, GathersStridedViews) {
  EXPECT_THAT(gathered(float_view({2, 3}, {3, 1})), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(gathered(float_view({3, 2}, {1, 3})), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(gathered(float_view({2, 1, 2}, {3, 99, 1}, 1)), ElementsAre(1, 2, 4, 5));
  EXPECT_THAT(gathered(float_view({}, {}, 5)), ElementsAre(5));
  EXPECT_THAT(gathered(float_view({0, 2}, {2, 1})), testing::IsEmpty());
}

TEST(CheckpointTensor, RefusesViewsOutsideOfTheStorage) {
  constexpr std::int64_t kLargest = std::numeric_limits<std::int64_t>::max();
  for (const TensorView& view :
       {float_view({7}, {1}), float_view({2}, {6}), float_view({1}, {1}, 6), float_view({1}, {1}, -1),
        float_view({2}, {-1}, 3), float_view({3}, {kLargest}), float_view({2}, {kLargest}, kLargest),
        float_view({kLargest, kLargest}, {0, 0}), float_view({1 << 20}, {0}), float_view({2}, {})}) {
    EXPECT_THROW(gathered(view), InputError);
  }
}

TEST(CheckpointTensor, RefusesStoragesOfAnotherSize) {
  TensorView view = float_view({1}, {1});
  view.storage_elements = 7;
  EXPECT_THAT(error_of([&] { gathered(view); }), HasSubstr("its storage has 24 bytes"));
}

/// The 3 MB decompress to 3 GiB. The claimed size is enough to refuse the file.
TEST(Checkpoint, APackedPickleThatUnpacksToGigabytesIsRefusedBeforeItIsUnpacked) {
  test::StoredEntry bomb{.name = "model/data.pkl", .content = std::string(3 << 20, '\x8e'), .method = 8};
  bomb.claimed_size = 3u << 30;
  const std::string zip = test::make_zip({bomb});
  const auto* const bytes = reinterpret_cast<const std::byte*>(zip.data());
  EXPECT_THAT(error_of([&] {
                read_checkpoint_of({bytes, bytes + zip.size()});
              }),
              testing::AllOf(HasSubstr("x.pth"), HasSubstr("64.0 MiB"), HasSubstr("save it again")));
}

}  // namespace
}  // namespace molgauge::io
