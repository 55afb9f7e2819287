// Checks the JSON of explanations, simulations and comparisons against
// docs/reference/memory-json.schema.json.

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/files/atomic_file.h"
#include "failing_programs.h"
#include "memgauge/explain/difference.h"
#include "memgauge/explain/explanation.h"
#include "memgauge/explain/message_explanation.h"
#include "memgauge/explain/simulation.h"
#include "memgauge/recordings/recording_file.h"
#include "memgauge/verbs/verbs.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

using Json = nlohmann::json;

/// Supports the part of JSON Schema that our schema uses. A field that the schema does not name is also an
/// error.
class Schema {
 public:
  explicit Schema(Json schema) : schema_(std::move(schema)) {}

  std::vector<std::string> findings(const Json& value, const std::string& definition) {
    found_.clear();
    check(value, schema_.at("$defs").at(definition), definition);
    return found_;
  }

 private:
  const Json& resolved(const Json& rule) const {
    return rule.contains("$ref") ? schema_.at(Json::json_pointer(rule["$ref"].get<std::string>().substr(1)))
                                 : rule;
  }

  void check(const Json& value, const Json& written, const std::string& place) {
    const Json& rule = resolved(written);
    if (rule.contains("anyOf")) {
      check(value, value.is_null() ? rule["anyOf"][1] : rule["anyOf"][0], place);
      return;
    }
    if (rule.contains("const") && value != rule["const"]) {
      found_.push_back(place + ": " + value.dump());
    }
    if (rule.contains("enum") &&
        std::find(rule["enum"].begin(), rule["enum"].end(), value) == rule["enum"].end()) {
      found_.push_back(place + ": " + value.dump() + " is none of the values");
    }
    if (rule.contains("type") && !has_type(value, rule["type"])) {
      found_.push_back(place + ": " + value.dump() + " is no " + rule["type"].dump());
      return;
    }
    for (const auto& key : rule.value("required", Json::array())) {
      if (!value.contains(key)) {
        found_.push_back(place + ": " + key.get<std::string>() + " is missing");
      }
    }
    if (value.is_object()) {
      for (const auto& [key, item] : value.items()) {
        if (rule["properties"].contains(key)) {
          check(item, rule["properties"][key], place + "." + key);
        } else {
          found_.push_back(place + ": " + key + " is not documented");
        }
      }
    }
    if (value.is_array()) {
      for (const auto& item : value) {
        check(item, rule["items"], place + "[]");
      }
    }
  }

  static bool has_type(const Json& value, const Json& type) {
    if (type.is_array()) {
      return std::any_of(type.begin(), type.end(), [&](const Json& one) { return has_type(value, one); });
    }
    return type == "integer"   ? value.is_number_integer()
           : type == "number"  ? value.is_number()
           : type == "string"  ? value.is_string()
           : type == "boolean" ? value.is_boolean()
           : type == "array"   ? value.is_array()
           : type == "object"  ? value.is_object()
                               : value.is_null();
  }

  Json schema_;
  std::vector<std::string> found_;
};

Schema schema() {
  return Schema(
      Json::parse(read_file(molgauge::test::own_data("../../docs/reference/memory-json.schema.json"))));
}

void expect_as_the_schema_says(const std::vector<std::string>& files) {
  Schema checked = schema();
  ExplainMemoryRequest all;
  all.device = "all";
  for (const auto& file : files) {
    SCOPED_TRACE(file);
    const auto recordings = read_recordings(file);
    for (const auto& explained : explain(recordings, all)) {
      EXPECT_THAT(checked.findings(Json::parse(explained.explanation.json), "explanation"),
                  testing::IsEmpty());
    }
    EXPECT_THAT(checked.findings(Json::parse(simulate(recordings.front(), {}).json), "simulation"),
                testing::IsEmpty());
    EXPECT_THAT(checked.findings(Json::parse(difference_between(recordings.front(), recordings.back()).json),
                                 "difference"),
                testing::IsEmpty());
  }
}

TEST(MemoryJson, IsWhatTheSchemaSays) {
  const molgauge::test::TemporaryFolder folder;
  std::vector<std::string> files{molgauge::test::own_data("allocator/pocket-epoch-5.trace.gz").string(),
                                 molgauge::test::own_data("allocator/protocol4.pickle").string()};
  for (const auto& program : test::failing_programs()) {
    files.push_back(test::write_snapshots(program, folder.path()).front());
  }
  expect_as_the_schema_says(files);
}

TEST(MemoryJsonParity, OfOthersSnapshotsIsWhatTheSchemaSays) {
  REQUIRE_REFERENCE("snapshots/facts.json");
  const Json facts = Json::parse(read_file(molgauge::test::reference_data("snapshots/facts.json")));
  std::vector<std::string> files;
  for (const auto& [name, about] : facts.items()) {
    files.push_back(molgauge::test::reference_data("snapshots/" + name).string());
  }
  expect_as_the_schema_says(files);
}

TEST(MemoryJson, OfRanksIsWhatTheSchemaSays) {
  const molgauge::test::TemporaryFolder folder;
  const auto programs = test::failing_programs();
  const auto program =
      std::find_if(programs.begin(), programs.end(), [](const auto& one) { return one.ranks; });
  ASSERT_GE(test::write_snapshots(*program, folder.path()).size(), 2U);
  ExplainMemoryRequest request;
  request.file = folder.path().string();
  const Json found = Json::parse(explain_memory(request).json);
  EXPECT_GE(found["ranks"]["ranks"].size(), 2U);
  EXPECT_THAT(schema().findings(found, "explanation"), testing::IsEmpty());
}

TEST(MemoryJson, OfMessagesIsWhatTheSchemaSays) {
  Schema checked = schema();
  const Json messages = Json::parse(read_file(molgauge::test::own_data("allocator/messages.json")));
  for (const auto& message : messages) {
    SCOPED_TRACE(message["name"]);
    const auto explanation = explain_message(message["text"].get<std::string>(), "message");
    EXPECT_THAT(checked.findings(Json::parse(explanation.json), "message_explanation"), testing::IsEmpty());
  }
}

TEST(MemoryJson, TheSchemaFindsWhatIsWrong) {
  Schema checked = schema();
  EXPECT_THAT(checked.findings(Json::parse(R"({"name": "x", "segments": -1.5, "other": 1})"), "pool"),
              testing::SizeIs(testing::Gt(3U)));
}

}  // namespace
}  // namespace molgauge::allocator
