#include "base/io/pickle/pickle_reader.h"

#include <filesystem>

#include <gmock/gmock.h>

#include "damage.h"
#include "files.h"

namespace molgauge::io {
namespace {

using test::error_of;
using namespace std::string_literals;

PickleDocument read_text(const std::string& pickle, const PickleLimits& limits = {}) {
  return read_pickle(*random_access_in_memory("x.pkl", test::bytes_of(pickle)), limits);
}

void read_pickle_of(std::vector<std::byte> bytes) {
  read_pickle(*random_access_in_memory("x.pkl", std::move(bytes)));
}

// pickle.dumps({"a": [1, -2, 3.5, None, True], "b": ("x", 2**70)}, 4), shortened by hand.
const std::string kNested =
    "\x80\x04\x95\x3a\0\0\0\0\0\0\0}\x94(\x8c\1a\x94]\x94(K\1J\xfe\xff\xff\xffG@\x0c\0\0\0\0\0\0N\x88"
    "e\x8c\1b\x94\x8c\1x\x94\x8a\x09\0\0\0\0\0\0\0\0@\x86\x94u."s;

std::string nested_with_right_frame() {
  std::string pickle = kNested;
  pickle[3] = static_cast<char>(pickle.size() - 11);
  return pickle;
}

TEST(PickleReader, ReadsNestedValues) {
  const PickleDocument document = read_text(nested_with_right_frame());
  const auto* dict = document.root()->as<PickleDict>();
  ASSERT_NE(dict, nullptr);
  ASSERT_EQ(dict->entries.size(), 2u);
  EXPECT_EQ(*dict->entries[0].first->as<std::string>(), "a");
  const auto& list = dict->entries[0].second->as<PickleList>()->items;
  ASSERT_EQ(list.size(), 5u);
  EXPECT_EQ(*list[0]->as<std::int64_t>(), 1);
  EXPECT_EQ(*list[1]->as<std::int64_t>(), -2);
  EXPECT_EQ(*list[2]->as<double>(), 3.5);
  EXPECT_NE(list[3]->as<PickleNone>(), nullptr);
  EXPECT_TRUE(*list[4]->as<bool>());
  EXPECT_NE(dict->entries[1].second->as<PickleTuple>()->items[1]->as<PickleLongInteger>(), nullptr);
}

TEST(PickleReader, ReadsLongIntegers) {
  EXPECT_EQ(*read_text("\x80\2\x8a\0."s).root()->as<std::int64_t>(), 0);
  EXPECT_EQ(*read_text("\x80\2\x8a\1\xff."s).root()->as<std::int64_t>(), -1);
  EXPECT_EQ(*read_text("\x80\2\x8a\2\xff\0."s).root()->as<std::int64_t>(), 255);
}

TEST(PickleReader, SharedValuesAreOneNode) {
  const PickleDocument document = read_text("\x80\2]q\0h\0\x86."s);
  const auto& pair = document.root()->as<PickleTuple>()->items;
  EXPECT_EQ(pair[0], pair[1]);
}

// os.system("touch pwned"): the well-known risk of pickles.
TEST(PickleReader, CallsStayDescriptions) {
  const std::filesystem::path trace = std::filesystem::current_path() / "molgauge_pickle_was_executed";
  std::filesystem::remove(trace);
  const std::string command = "touch molgauge_pickle_was_executed";
  const PickleDocument document =
      read_text("\x80\2cos\nsystem\nX"s + static_cast<char>(command.size()) + "\0\0\0"s + command + "\x85R.");
  const auto* object = document.root()->as<PickleObject>();
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(object->callable->as<PickleGlobal>()->module, "os");
  EXPECT_EQ(object->callable->as<PickleGlobal>()->name, "system");
  EXPECT_EQ(*object->arguments->as<PickleTuple>()->items[0]->as<std::string>(), command);
  EXPECT_FALSE(std::filesystem::exists(trace));
}

TEST(PickleReader, ObjectsKeepStateItemsAndEntries) {
  const PickleDocument document = read_text("\x80\2cm\nC\n)\x81K\1aX\1\0\0\0kK\2s}X\1\0\0\0sK\5sb."s);
  const auto* object = document.root()->as<PickleObject>();
  ASSERT_NE(object, nullptr);
  EXPECT_EQ(*object->items.at(0)->as<std::int64_t>(), 1);
  EXPECT_EQ(*object->entries.at(0).second->as<std::int64_t>(), 2);
  ASSERT_NE(object->state, nullptr);
  EXPECT_EQ(*object->state->as<PickleDict>()->entries[0].second->as<std::int64_t>(), 5);
}

TEST(PickleReader, ValuesMayContainThemselves) {
  const PickleDocument document = read_text("\x80\2]q\0h\0a."s);
  EXPECT_EQ(document.root()->as<PickleList>()->items[0], document.root());
}

TEST(PickleReader, RefusesWhatDoesNotFit) {
  for (const std::string& pickle : {""s,
                                    "."s,
                                    "\x80\2."s,
                                    "\x80\2a."s,
                                    "\x80\2K\1K\2a."s,
                                    "\x80\2K\1s."s,
                                    "\x80\2}(K\1u."s,
                                    "\x80\2u."s,
                                    "\x80\2h\7."s,
                                    "\x80\2R."s,
                                    "\x80\2(K\1]a."s,
                                    "\x80\2K\1K\2\x93."s,
                                    "\x80\6N."s,
                                    "\x80\0N."s,
                                    "\x80\2\x82\1."s,
                                    "\x80\2I1\n."s,
                                    "\x80\5\x97."s,
                                    "\x80\2q\0."s,
                                    "\x80\2(o."s,
                                    "\x80\2\x85."s}) {
    EXPECT_THROW(read_text(pickle), InputError) << testing::PrintToString(pickle);
  }
}

TEST(PickleReader, HugeCountsTakeNoMemory) {
  EXPECT_THAT(error_of([] {
                read_text(
                    "\x80\2X\xff\xff\xff\xff"
                    "a."s);
              }),
              testing::HasSubstr("ends too early"));
  EXPECT_THAT(error_of([] { read_text("\x80\4\x8e\xff\xff\xff\xff\xff\xff\xff\x7f."s); }),
              testing::HasSubstr("early"));
  EXPECT_THAT(error_of([] { read_text("\x80\2\x8b\xff\xff\xff\xff."s); }), testing::HasSubstr("early"));
  EXPECT_THAT(error_of([] { read_text("\x80\4\x95\xff\xff\xff\xff\xff\xff\xff\xffN."s); }),
              testing::HasSubstr("early"));
}

TEST(PickleReader, LimitsHold) {
  const PickleLimits limits{100, 50, 10};
  EXPECT_THAT(error_of([&] { read_text("\x80\2" + std::string(60, 'N') + ".", limits); }),
              testing::HasSubstr("stack"));
  EXPECT_THAT(error_of([&] { read_text("\x80\2" + std::string(60, '(') + ".", limits); }),
              testing::HasSubstr("marks"));
  std::string many = "\x80\2";
  for (int i = 0; i < 101; ++i) {
    many += "N0";
  }
  EXPECT_THAT(error_of([&] { read_text(many + "N.", limits); }), testing::HasSubstr("values"));
  EXPECT_THAT(error_of([&] { read_text("\x80\4N" + std::string(11, '\x94') + ".", limits); }),
              testing::HasSubstr("memo"));
}

// A deep value is a chain of nodes and needs no recursion.
TEST(PickleReader, DeepNestingNeedsNoRecursion) {
  std::string pickle = "\x80\2N";
  pickle.append(1'000'000, '\x85');
  EXPECT_NE(read_text(pickle + ".").root()->as<PickleTuple>(), nullptr);
}

TEST(PickleReader, SurvivesDamage) {
  const auto bytes = test::bytes_of(nested_with_right_frame());
  test::expect_refused_when_truncated(bytes, read_pickle_of);
  test::expect_survives_bit_flips(bytes, read_pickle_of);
}

}  // namespace
}  // namespace molgauge::io
