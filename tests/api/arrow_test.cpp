#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/arrow_stream.h"
#include "base/core/error.h"

namespace molgauge::arrow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Counts how often a struct of another producer is released.
struct ReleaseCount {
  int schema = 0, array = 0;
};

/// An ArrowSchema and an ArrowArray as another producer makes them: one column without children.
struct Foreign {
  explicit Foreign(const char* format, std::vector<const void*> with_buffers, std::int64_t length,
                   std::int64_t offset = 0)
      : buffers(std::move(with_buffers)) {
    schema.format = format;
    schema.name = "";
    schema.release = [](ArrowSchema* self) {
      ++static_cast<ReleaseCount*>(self->private_data)->schema;
      self->release = nullptr;
    };
    schema.private_data = &released;
    array.length = length;
    array.offset = offset;
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    array.buffers = buffers.data();
    array.release = [](ArrowArray* self) {
      ++static_cast<ReleaseCount*>(self->private_data)->array;
      self->release = nullptr;
    };
    array.private_data = &released;
  }
  InputTable read() {
    ArrowArrayStream stream;
    give_array_stream(&schema, &array, &stream);
    return read_stream(&stream);
  }

  std::vector<const void*> buffers;
  ReleaseCount released;
  ArrowSchema schema = {};
  ArrowArray array = {};
};

std::vector<std::string> texts_of(const InputColumn& column) {
  std::vector<std::string> texts;
  for (const auto& text : column.texts) {
    texts.push_back(text.value_or("NULL"));
  }
  return texts;
}

std::string numbers_of(const InputColumn& column) {
  std::string text;
  for (const double number : column.numbers) {
    text += std::to_string(number).substr(0, 4) + " ";
  }
  return text;
}

TEST(Arrow, ATableComesBackAsItWasGiven) {
  const std::vector<std::optional<std::string_view>> smiles = {"CCO", std::nullopt, "", "c1ccccc1"};
  const std::vector<std::optional<std::string_view>> kinds = {"in", "out", std::nullopt, "in"};
  const std::vector<double> values = {1.5, std::numeric_limits<double>::quiet_NaN(), 0, -2};
  const std::vector<std::optional<bool>> flags = {true, false, std::nullopt, true};
  const std::vector<std::optional<std::int64_t>> counts = {1, std::nullopt, 3, 4};
  ArrowArrayStream stream;
  give_stream(structure("", 4,
                        {text("smiles", smiles), dictionary_text("kind", kinds), numbers("value", values),
                         booleans("flag", flags), integers("count", counts)}),
              &stream);
  const InputTable table = read_stream(&stream);
  EXPECT_EQ(stream.release, nullptr);
  EXPECT_EQ(table.rows, 4U);
  ASSERT_EQ(table.columns.size(), 5U);
  EXPECT_EQ(table.columns[0].name, "smiles");
  EXPECT_THAT(texts_of(table.columns[0]), ElementsAre("CCO", "NULL", "", "c1ccccc1"));
  EXPECT_THAT(texts_of(table.columns[1]), ElementsAre("in", "out", "NULL", "in"));
  EXPECT_EQ(numbers_of(table.columns[2]), "1.50 nan 0.00 -2.0 ");
  EXPECT_EQ(numbers_of(table.columns[3]), "1.00 0.00 nan 1.00 ");
  EXPECT_EQ(numbers_of(table.columns[4]), "1.00 nan 3.00 4.00 ");
}

TEST(Arrow, BytesThatAreNoUtf8AreReplaced) {
  const std::vector<std::optional<std::string_view>> texts = {
      "a\xFF"
      "b"};
  ArrowArrayStream stream;
  give_stream(structure("", 1, {text("text", texts)}), &stream);
  EXPECT_THAT(texts_of(read_stream(&stream).columns[0]), ElementsAre("a\xEF\xBF\xBD"
                                                                     "b"));
}

TEST(Arrow, ARowAndAListHaveTheLayoutOfTheirFormats) {
  const std::vector<float> rows = {1, 2, 3, 4};
  const Column features = float_rows("features", rows, 2, {true, false});
  EXPECT_EQ(features.format, "+w:2");
  EXPECT_EQ(features.null_count, 1);
  EXPECT_EQ(features.children[0].length, 4);
  const std::vector<std::size_t> lengths = {0, 2};
  const std::vector<double> values = {1, 2};
  const Column nearest = lists("nearest", lengths, {numbers("value", values)});
  EXPECT_EQ(nearest.format, "+l");
  EXPECT_EQ(nearest.children[0].format, "+s");
  std::vector<std::int32_t> offsets(3);
  std::memcpy(offsets.data(), nearest.buffers[1].data(), 12);
  EXPECT_THAT(offsets, ElementsAre(0, 0, 2));
}

TEST(Arrow, ChildrenThatWereMovedAwayLiveOn) {
  const std::vector<double> values = {7};
  ArrowArrayStream stream;
  give_stream(structure("", 1, {numbers("value", values)}), &stream);
  ArrowSchema schema;
  ArrowArray batch, end;
  ASSERT_EQ(stream.get_schema(&stream, &schema), 0);
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  ASSERT_EQ(stream.get_next(&stream, &end), 0);
  EXPECT_EQ(end.release, nullptr);
  ArrowArrayStream again;
  give_again(stream, &again);
  stream.release(&stream);
  ArrowArray child = *batch.children[0];
  batch.children[0]->release = nullptr;
  batch.release(&batch);
  EXPECT_EQ(static_cast<const double*>(child.buffers[1])[0], 7);
  child.release(&child);
  schema.release(&schema);
  EXPECT_EQ(numbers_of(read_stream(&again).columns[0]), "7.00 ");
  EXPECT_THROW(give_again(again, &stream), UsageError);
}

TEST(Arrow, ColumnsOfOtherProducersAreRead) {
  const std::int32_t offsets[] = {0, 3, 3, 5};
  const unsigned char valid[] = {0b101};
  Foreign utf8("u", {valid, offsets, "CCOCN"}, 3);
  EXPECT_THAT(texts_of(utf8.read().columns[0]), ElementsAre("CCO", "NULL", "CN"));
  EXPECT_EQ(utf8.released.schema, 1);
  EXPECT_EQ(utf8.released.array, 1);
  Foreign cut("u", {nullptr, offsets, "CCOCN"}, 1, /*offset=*/2);
  EXPECT_THAT(texts_of(cut.read().columns[0]), ElementsAre("CN"));

  struct View {
    std::int32_t length;
    char start[4];
    std::int32_t buffer, offset;
  };
  const std::string longer = "..CCCCCCCCCCCCCCCC";
  View views[] = {{2, {'C', 'O', 0, 0}, 0, 0}, {16, {'C', 'C', 'C', 'C'}, 0, 2}};
  const std::int64_t sizes[] = {18};
  Foreign with_views("vu", {nullptr, views, longer.data(), sizes}, 2);
  EXPECT_THAT(texts_of(with_views.read().columns[0]), ElementsAre("CO", longer.substr(2)));

  const std::int16_t numbers[] = {1, -2};
  EXPECT_EQ(numbers_of(Foreign("s", {nullptr, numbers}, 2).read().columns[0]), "1.00 -2.0 ");
}

TEST(Arrow, ARowThatIsNullHasNoValues) {
  const std::int32_t offsets[] = {0, 1, 2, 3};
  const double numbers[] = {1, 2, 3};
  const unsigned char valid[] = {0b1010};  // the second and the fourth row of the parent, which starts at 1
  Foreign text("u", {nullptr, offsets, "CNO"}, 3), number("g", {nullptr, numbers}, 3);
  text.schema.name = "smiles";
  number.schema.name = "y";
  ArrowSchema* schemas[] = {&text.schema, &number.schema};
  ArrowArray* arrays[] = {&text.array, &number.array};
  Foreign table("+s", {valid}, 2, /*offset=*/1);
  table.schema.n_children = table.array.n_children = 2;
  table.schema.children = schemas;
  table.array.children = arrays;
  const InputTable read = table.read();
  EXPECT_THAT(texts_of(read.columns[0]), ElementsAre("N", "NULL"));
  EXPECT_EQ(numbers_of(read.columns[1]).substr(0, 7), "2.00 na");
}

TEST(Arrow, ASchemaWithoutAFormatIsRefused) {
  Foreign column("u", {}, 0);
  column.schema.format = nullptr;
  EXPECT_THROW(column.read(), UsageError);
  Foreign child("u", {}, 0), table("+s", {nullptr}, 0), without("+s", {nullptr}, 0);
  child.schema.format = nullptr;
  ArrowSchema* schemas[] = {&child.schema};
  table.schema.n_children = without.schema.n_children = 1;
  table.schema.children = schemas;
  EXPECT_THROW(table.read(), UsageError);
  EXPECT_THROW(without.read(), UsageError);
}

TEST(Arrow, UnsoundArraysAreRefusedAndReleased) {
  const std::int32_t offsets[] = {3, 0};
  Foreign damaged("u", {nullptr, offsets, "CCO"}, 1);
  EXPECT_THROW(damaged.read(), UsageError);
  EXPECT_EQ(damaged.released.array, 1);
  Foreign date("tdD", {nullptr, offsets}, 1);
  try {
    date.read();
    ADD_FAILURE() << "a date is refused";
  } catch (const UsageError& error) {
    EXPECT_THAT(error.what(), HasSubstr("'tdD': this type is not supported"));
  }
  EXPECT_EQ(date.released.schema, 1);
  ArrowArrayStream released = {};
  EXPECT_THROW(read_stream(&released), UsageError);
}

TEST(Arrow, AStreamWithoutBatchesIsAnEmptyTable) {
  const std::vector<std::optional<std::string_view>> none;
  ArrowArrayStream stream{};
  give_stream(structure("", 0, {text("smiles", none)}), &stream);
  ArrowArray batch{};
  ASSERT_EQ(stream.get_next(&stream, &batch), 0);
  batch.release(&batch);
  const InputTable table = read_stream(&stream);
  EXPECT_EQ(table.rows, 0U);
  ASSERT_EQ(table.columns.size(), 1U);
  EXPECT_EQ(table.columns[0].name, "smiles");
  EXPECT_TRUE(table.columns[0].is_text);
}

TEST(Arrow, AFailingProducerIsQuoted) {
  ArrowArrayStream stream = {};
  static int releases;
  releases = 0;
  stream.get_schema = [](ArrowArrayStream*, ArrowSchema*) { return 5; };
  stream.get_last_error = [](ArrowArrayStream*) { return "the disk is gone"; };
  stream.release = [](ArrowArrayStream* self) {
    ++releases;
    self->release = nullptr;
  };
  try {
    read_stream(&stream);
    ADD_FAILURE() << "the error is passed on";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the disk is gone"));
  }
  EXPECT_EQ(releases, 1);
}

}  // namespace
}  // namespace molgauge::arrow
