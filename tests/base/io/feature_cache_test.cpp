#include "base/io/tensors/feature_cache.h"

#include <gmock/gmock.h>

#include "base/io/pickle/pickle_reader.h"
#include "base/io/tensors/pickled_array.h"
#include "damage.h"
#include "files.h"
#include "support/fixtures.h"

namespace molgauge::io {
namespace {

using test::error_of;
using testing::ElementsAre;
using testing::HasSubstr;
using namespace std::string_literals;

FeatureCache fixture(const std::string& name) { return FeatureCache(test::own_data("io/features/" + name)); }

std::vector<float> row_of(const FeatureCache& cache, const std::string& smiles) {
  for (std::size_t entry = 0; entry < cache.size(); ++entry) {
    if (cache.smiles(entry) == smiles) {
      return cache.row(entry).to_float32();
    }
  }
  ADD_FAILURE() << smiles << " is missing";
  return {};
}

/// Files that the test writes byte by byte.
class HandMade : public testing::Test {
 protected:
  FeatureCache read(const std::string& pickle) {
    test::write_text(path_, pickle);
    return FeatureCache(path_);
  }
  /// Returns the error that occurs when the file and its first row are read.
  std::string refusal(const std::string& pickle) {
    return error_of([&] { read(pickle).row(0); });
  }
  test::TemporaryFolder folder_;
  std::filesystem::path path_ = folder_ / "cache.pkl";
};

TEST(FeatureCache, ReadsEveryProtocol) {
  for (const char* name : {"protocol2.pkl", "protocol3.pkl", "protocol4.pkl", "protocol5.pkl"}) {
    SCOPED_TRACE(name);
    const FeatureCache cache = fixture(name);
    ASSERT_EQ(cache.size(), 2u);
    EXPECT_EQ(cache.smiles(0), "CCO");
    EXPECT_EQ(cache.foundation_model(), "minimol");
    EXPECT_THAT(row_of(cache, "CCO"), ElementsAre(1.0f, 2.5f, -3.0f));
    EXPECT_THAT(row_of(cache, "c1ccccc1"), ElementsAre(0.1f, 1e-30f, 65504.0f));
  }
}

TEST(FeatureCache, ReadsABareDictAndEveryFormOfARow) {
  const FeatureCache cache = fixture("bare.pkl");
  EXPECT_EQ(cache.foundation_model(), "");
  EXPECT_THAT(row_of(cache, "half"), ElementsAre(1, 2, 3));
  EXPECT_THAT(row_of(cache, "double"), ElementsAre(1, 2, 0.1f));
  EXPECT_THAT(row_of(cache, "row"), ElementsAre(1, 2, 3));
  EXPECT_THAT(row_of(cache, "column"), ElementsAre(1, 2, 3));
  EXPECT_THAT(row_of(cache, "strided"), ElementsAre(0, 2, 4));
}

TEST(FeatureCache, SaysWhatIsNoRow) {
  const FeatureCache cache = fixture("refused.pkl");
  EXPECT_THAT(error_of([&] { row_of(cache, "matrix"); }), HasSubstr("features['matrix']: has shape [2, 3]"));
  EXPECT_THAT(error_of([&] { row_of(cache, "integers"); }), HasSubstr("'i8'"));
  EXPECT_THAT(error_of([&] { row_of(cache, "list"); }), HasSubstr("not a NumPy array"));
  EXPECT_THAT(error_of([&] { row_of(cache, "big"); }), HasSubstr("big-endian"));
  EXPECT_THAT(error_of([&] { row_of(cache, "objects"); }), HasSubstr("'O8'"));
}

TEST(PickledArray, FortransOrderBecomesRowMajor) {
  for (const char* name : {"io/features/refused.pkl", "io/features/matrix5.pkl"}) {
    const auto file = open_random_access(test::own_data(name));
    const PickleDocument document = read_pickle(*file);
    const auto array = describe_array(document.root()->as<PickleDict>()->entries[0].second);
    EXPECT_TRUE(array.column_major);
    const TensorData matrix = read_array(array, *file);
    EXPECT_THAT(matrix.shape, ElementsAre(2, 3));
    EXPECT_THAT(matrix.to_float32(), ElementsAre(0, 1, 2, 3, 4, 5));
  }
}

// If Python loaded these pickles, they would run `touch`. The call is the whole file, a row, or the bytes of
// a row.
TEST_F(HandMade, ExecutingPicklesRunNothing) {
  const std::filesystem::path trace = folder_ / "executed";
  const std::string command = "touch " + trace.string();
  const std::string call =
      "cos\nsystem\nX"s + static_cast<char>(command.size()) + "\0\0\0"s + command + "\x85R";
  EXPECT_THAT(refusal("\x80\2" + call + "."), HasSubstr("dict of SMILES to arrays was expected"));
  EXPECT_THAT(refusal("\x80\2}X\1\0\0\0C"s + call + "s."), HasSubstr("features['C']: is not a NumPy array"));
  EXPECT_THAT(refusal("\x80\2}X\1\0\0\0Ccnumpy.core.multiarray\n_reconstruct\n)R(K\1K\1\x85"s
                      "cnumpy\ndtype\nX\2\0\0\0f4\x85R(K\3X\1\0\0\0<tb\x89"s +
                      call + "tbs."),
              HasSubstr("features['C']: is not a NumPy array"));
  EXPECT_FALSE(std::filesystem::exists(trace));
}

TEST_F(HandMade, ValuesThatContainThemselvesAreRefused) {
  EXPECT_THAT(refusal("\x80\2}q\0X\1\0\0\0Ch\0s."s), HasSubstr("features['C']: is not a NumPy array"));
  EXPECT_THAT(refusal("\x80\2}q\0X\x08\0\0\0featuresh\0s."s), HasSubstr("not a NumPy array"));
  EXPECT_THAT(refusal("\x80\2}X\1\0\0\0Ccnumpy.core.multiarray\n_reconstruct\n)Rq\0h\0bs."s),
              HasSubstr("not a NumPy array"));
}

TEST_F(HandMade, HugeCountsTakeNoMemory) {
  // The bytes and the shape claim far more data than the file has.
  EXPECT_THAT(refusal("\x80\4}X\1\0\0\0C\x8e\xff\xff\xff\xff\xff\xff\xff\x7f"s), HasSubstr("ends too early"));
  const auto claims = [](const std::string& shape) {
    return "\x80\3}X\1\0\0\0Ccnumpy.core.multiarray\n_reconstruct\n)R(K\1"s + shape +
           "cnumpy\ndtype\nX\2\0\0\0f4\x85R(K\3X\1\0\0\0<tb\x89"s + "C\4abcdtbs.";
  };
  EXPECT_THAT(refusal(claims("J\xff\xff\xff\x7f\x85"s)),
              HasSubstr("has 4 bytes where its shape needs 8589934588"));
  const std::string largest = "\x8a\x08\xff\xff\xff\xff\xff\xff\xff\x7f"s;
  EXPECT_THAT(refusal(claims(largest + largest + "\x86")), HasSubstr("features['C']"));
  EXPECT_THAT(refusal(claims("J\xff\xff\xff\xff\x85"s)), HasSubstr("features['C']"));
  EXPECT_THAT(read(claims("K\1\x85")).row(0).shape, ElementsAre(1));
}

TEST_F(HandMade, WrongTypesAreRefused) {
  EXPECT_THAT(refusal("\x80\2]."s), HasSubstr("dict of SMILES"));
  EXPECT_THAT(refusal("\x80\2}."s), HasSubstr("holds no features"));
  EXPECT_THAT(refusal("\x80\2}K\1K\2s."s), HasSubstr("a key that is not a text"));
  EXPECT_THAT(refusal("\x80\2}X\x08\0\0\0featuresK\1s."s), HasSubstr("\"features\" are not a dict"));
  EXPECT_THAT(refusal("\x80\2}X\1\0\0\0CNs."s), HasSubstr("not a NumPy array"));
  EXPECT_THAT(refusal("not a pickle"), HasSubstr("cannot be read as a pickle"));
  EXPECT_THAT(error_of([&] { FeatureCache{folder_.path()}; }), HasSubstr("is a folder"));
}

TEST(FeatureCache, SurvivesDamage) {
  const auto read = [](std::vector<std::byte> bytes) {
    const FeatureCache cache(random_access_in_memory("cache.pkl", std::move(bytes)));
    for (std::size_t entry = 0; entry < cache.size(); ++entry) {
      cache.row(entry);
    }
  };
  for (const char* name : {"protocol2.pkl", "protocol4.pkl", "protocol5.pkl"}) {
    SCOPED_TRACE(name);
    const auto bytes = test::bytes_of_file(test::own_data("io/features/"s + name));
    test::expect_refused_when_truncated(bytes, read);
    EXPECT_GT(test::expect_survives_bit_flips(bytes, read), 0u);
  }
}

}  // namespace
}  // namespace molgauge::io
