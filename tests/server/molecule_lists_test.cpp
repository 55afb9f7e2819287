#include "server/molecule_lists.h"

#include <cmath>

#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"

namespace molgauge::serve {
namespace {

class MoleculeLists : public testing::Test {
 protected:
  static ReadList read(const std::string& content, ListForm form, std::size_t most = 10) {
    return read_list(Body(content), form, "smiles", {.max_molecules = most, .max_kept = 5}, "input");
  }
  test::TemporaryFolder folder_;
};

TEST_F(MoleculeLists, OfLinesHaveNamesAndTheLinesOfTheInput) {
  const auto list = read("\n CCO ethanol of wine \r\n\n# no molecule\n\tCC\n", ListForm::lines);
  ASSERT_EQ(list.records, 2U);
  EXPECT_EQ(list.molecules[0].smiles, "CCO");
  EXPECT_EQ(list.molecules[0].name, "ethanol of wine");
  EXPECT_EQ(list.molecules[0].line, 2U);
  EXPECT_EQ(list.molecules[1].smiles, "CC");
  EXPECT_EQ(list.molecules[1].line, 5U);
}

TEST_F(MoleculeLists, KeepNoMoreThanTheyAreAskedFor) {
  const auto list = read("C\nC\nC\nC\nC\nC\nC", ListForm::lines);
  EXPECT_EQ(list.records, 7U);
  EXPECT_EQ(list.molecules.size(), 5U);
}

TEST_F(MoleculeLists, OfJsonAreReadAndKeptAsCsv) {
  const auto list = read(R"({"smiles": [" CCO", "C,\"C"], "names": ["a", "b"]})", ListForm::json);
  ASSERT_EQ(list.records, 2U);
  replace_file(folder_ / "list.csv", csv_of(list.molecules));
  ListReader reader(folder_ / "list.csv", "smiles");
  const auto first = reader.next();
  EXPECT_EQ(first->smiles, "CCO");
  EXPECT_EQ(first->name, "a");
  EXPECT_EQ(reader.next()->smiles, "C,\"C");
  EXPECT_FALSE(reader.next());
}

/// A number is kept exactly. A missing number is an empty cell. If two fields name the same column, it occurs
/// only once.
TEST_F(MoleculeLists, OfJsonKeepTheirPredictions) {
  const PredictionFields fields{.prediction = "p,1", .uncertainty = "s", .lower = "p,1", .upper = "s"};
  const auto list =
      read_list(Body(std::string(R"({"smiles": ["C", "N"], "p,1": [0.1, null], "s": [1e-300, 2]})")),
                ListForm::json, "smiles", {.max_molecules = 5, .max_kept = 5}, "input", fields);
  ASSERT_EQ(list.molecules.size(), 2U);
  EXPECT_EQ(list.molecules[0].prediction.value, 0.1);
  EXPECT_EQ(list.molecules[0].prediction.lower, 0.1);
  EXPECT_TRUE(std::isnan(list.molecules[1].prediction.value));
  EXPECT_EQ(list.molecules[1].prediction.uncertainty, 2);
  EXPECT_EQ(csv_of(list.molecules, fields), "smiles,name,\"p,1\",s\nC,,0.1,1e-300\nN,,,2\n");
}

TEST_F(MoleculeLists, ThatAreNoneAreRefused) {
  EXPECT_THROW(read("", ListForm::lines), InputError);
  EXPECT_THROW(read("# a comment\n", ListForm::lines), InputError);
  EXPECT_THROW(read("C\nC\nC\n", ListForm::lines, 2), Refused);
  EXPECT_THROW(read("smiles\nC\nC\nC\n", ListForm::csv, 2), Refused);
  EXPECT_THROW(read(R"({"smiles": ["C", "C", "C"]})", ListForm::json, 2), Refused);
  EXPECT_THROW(read("a,b\n", ListForm::csv), InputError);
  for (const char* const json : {"", "[]", "{}", R"({"smiles": 1})", R"({"smiles": [1]})",
                                 R"({"smiles": ["\u0000"]})", R"({"smiles": ["C"], "names": ["a", "b"]})"}) {
    EXPECT_THROW(read(json, ListForm::json), InputError) << json;
  }
  Request request;
  request.content_type = "image/png";
  EXPECT_THROW(list_form(request), UsageError);
  request.content_type = "APPLICATION/JSON; charset=utf-8";  // types do not depend on the case
  EXPECT_EQ(list_form(request), ListForm::json);
}

TEST_F(MoleculeLists, OfRecordsAreCounted) {
  EXPECT_EQ(read("x\n\n\n$$$$\ny\n\n\n$$$$\n", ListForm::sdf).records, 2U);
}

}  // namespace
}  // namespace molgauge::serve
