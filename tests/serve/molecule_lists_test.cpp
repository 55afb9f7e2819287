#include "serve/molecule_lists.h"

#include <gtest/gtest.h>

#include "core/atomic_file.h"
#include "core/error.h"
#include "support/fixtures.h"

namespace headroom::serve {
namespace {

class MoleculeLists : public testing::Test {
 protected:
  std::filesystem::path file(const std::string& name, const std::string& content) const {
    replace_file(folder_ / name, content);
    return folder_ / name;
  }
  Request request(const std::string& content, const std::string& type) const {
    Request request;
    request.content_type = type;
    request.body = std::make_shared<SpooledBody>(file("body", content));
    return request;
  }
  test::TemporaryFolder folder_;
};

TEST_F(MoleculeLists, OfLinesHaveNamesAndTheLinesOfTheInput) {
  const auto list =
      read_list(request("\n CCO ethanol of wine \r\n\n\tCC\n", "text/plain"), ListForm::lines, 10);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0].smiles, "CCO");
  EXPECT_EQ(list[0].name, "ethanol of wine");
  EXPECT_EQ(list[0].line, 2U);
  EXPECT_EQ(list[1].smiles, "CC");
  EXPECT_EQ(list[1].line, 4U);
}

TEST_F(MoleculeLists, OfJsonAreReadAndKeptAsCsv) {
  const auto list =
      read_list(request(R"({"smiles": ["CCO", "C,\"C"], "names": ["a", "b"]})", "application/json"),
                ListForm::json, 10);
  ASSERT_EQ(list.size(), 2U);
  write_csv(list, folder_ / "list.csv");
  ListReader reader(folder_ / "list.csv", "smiles");
  EXPECT_EQ(reader.next()->name, "a");
  EXPECT_EQ(reader.next()->smiles, "C,\"C");
  EXPECT_FALSE(reader.next());
}

TEST_F(MoleculeLists, ThatAreNoneAreRefused) {
  EXPECT_THROW(read_list(request("", "text/plain"), ListForm::lines, 10), InputError);
  EXPECT_THROW(read_list(request("C\nC\nC\n", "text/plain"), ListForm::lines, 2), InputError);
  for (const char* const json : {"", "[]", "{}", R"({"smiles": 1})", R"({"smiles": [1]})",
                                 R"({"smiles": ["C"], "names": ["a", "b"]})"}) {
    EXPECT_THROW(read_list(request(json, "application/json"), ListForm::json, 10), InputError) << json;
  }
  EXPECT_THROW(list_form(request("", "image/png")), UsageError);
  EXPECT_THROW(ListReader(file("no.csv", "a,b\n"), "smiles"), InputError);
}

TEST_F(MoleculeLists, AreCountedWithoutBeingRead) {
  EXPECT_EQ(count_records(file("a.smi", "C\nC\nC")), 3U);
  EXPECT_EQ(count_records(file("a.sdf", "x\n$$$$\ny\n$$$$\n")), 2U);
}

}  // namespace
}  // namespace headroom::serve
