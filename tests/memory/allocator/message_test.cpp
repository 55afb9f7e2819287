// Tests the parsing of out-of-memory messages of PyTorch 1.0 to 2.11, CUDA and others. The messages in
// tests/fixtures/allocator/messages.json are our own variants of the published forms.

#include <algorithm>
#include <cctype>
#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "core/atomic_file.h"
#include "core/error.h"
#include "memory/allocator/explain/message_explanation.h"
#include "memory/allocator/explain/oom_message.h"
#include "support/fixtures.h"
#include "verbs/explain/commands.h"

namespace headroom::allocator {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json messages() { return json::parse(read_file(headroom::test::own_data("allocator/messages.json"))); }

/// Returns whether two values agree. Numbers may differ by 2, because amounts with two decimals are
/// rounded.
bool is_about(const json& found, const json& expected) {
  if (!expected.is_number() || !found.is_number()) {
    return found == expected;
  }
  const double difference = std::abs(found.get<double>() - expected.get<double>());
  return difference <= 2;
}

TEST(Message, OfEachFormIsExplained) {
  const json all = messages();
  EXPECT_GE(all.size(), 25U);
  for (const auto& message : all) {
    SCOPED_TRACE(message["name"]);
    const auto explanation = explain_message(message["text"].get<std::string>(), "message");
    const json found = json::parse(explanation.json);
    EXPECT_EQ(found["verdict"], message["verdict"]) << explanation.text;
    EXPECT_EQ(found["certainty"], message["certainty"]) << explanation.text;
    for (const auto& [key, value] : message["numbers"].items()) {
      EXPECT_TRUE(is_about(found[key], value)) << key << " is " << found[key] << "\n" << explanation.text;
    }
    if (message.contains("says")) {
      std::string lower_text = explanation.text, lower_part = message["says"];
      for (std::string* text : {&lower_text, &lower_part}) {
        std::transform(text->begin(), text->end(), text->begin(),
                       [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
      }
      EXPECT_THAT(lower_text, HasSubstr(lower_part));
    }
    if (message["verdict"] != "host" && found["platform"] != "MPS") {
      EXPECT_THAT(explanation.text, HasSubstr("_record_memory_history"));
      EXPECT_THAT(explanation.text, HasSubstr("headroom memory explain snapshot.pickle"));
    }
  }
}

TEST(Message, TellsWhichVersionsWriteIt) {
  const auto versions = [](const char* text) { return read_message(text)->versions; };
  EXPECT_EQ(
      versions("CUDA out of memory. Tried to allocate 2.00 MiB (GPU 0; 1.00 GiB total capacity; 1.00 MiB "
               "already allocated; 0 bytes free; 1.00 MiB cached)"),
      "1.0 to 1.3");
  EXPECT_EQ(
      versions("CUDA out of memory. Tried to allocate 2.00 MiB (GPU 0; 1.00 GiB total capacity; 1.00 MiB "
               "already allocated; 0 bytes free; 1.00 MiB reserved in total by PyTorch)"),
      "1.4 to 1.10");
  EXPECT_EQ(versions("CUDA out of memory. Tried to allocate 2.00 MiB. GPU 0 has a total capacty of 1.00 GiB"),
            "2.1");
}

TEST(Message, OfAnotherKindIsRefused) {
  EXPECT_FALSE(read_message("Segmentation fault").has_value());
  EXPECT_FALSE(read_message("").has_value());
  try {
    explain_message("KeyError: 'x'", "log.txt");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("log.txt: the text does not contain an out-of-memory message"));
  }
}

TEST(Message, ThatWasCutOffDoesNotTellItsVersion) {
  for (const char* const text : {"CUDA out of memory.", "CUDA out of memory. Tried to allocate 1.50 GiB."}) {
    const auto message = read_message(text);
    ASSERT_TRUE(message.has_value());
    EXPECT_EQ(message->versions, "");
    EXPECT_FALSE(message->has_expandable_segments);
    EXPECT_THAT(explain_message(text, "message").text,
                HasSubstr("message: out-of-memory message of PyTorch, CUDA\n"));
  }
}

TEST(Message, WithOverflownNumbersListsTheOthers) {
  const auto explanation = explain_message(
      "CUDA out of memory. Tried to allocate 17179869184.00 GiB. GPU 0 has a total capacity of 1.00 GiB of "
      "which 2.00 GiB is free.",
      "message");
  EXPECT_THAT(explanation.text,
              HasSubstr("Memory ran out. The message has too few numbers to find the cause."));
  EXPECT_THAT(explanation.text, HasSubstr("1.00 GiB  memory of the device"));
}

TEST(Message, DamagedNumbersAreNone) {
  const auto message = read_message(
      "CUDA out of memory. Tried to allocate -3.00 GiB (GPU x; 1e400 GiB total capacity; nan already "
      "allocated; "
      "free; MiB reserved in total by PyTorch)");
  ASSERT_TRUE(message.has_value());
  EXPECT_FALSE(message->requested || message->capacity || message->allocated || message->reserved);
  EXPECT_FALSE(message->device.has_value());
}

TEST(Message, IsReadFromAFileAndTakesNoOptionsOfRecordings) {
  const headroom::test::TemporaryFolder folder;
  const std::string path = (folder / "log.txt").string();
  replace_file(path, messages().front()["text"].get<std::string>());
  ExplainMemoryRequest request;
  request.message = path;
  EXPECT_THAT(explain_memory(request).text, HasSubstr("Memory was fragmented"));
  request.page = "page.html";
  EXPECT_THROW(explain_memory(request), UsageError);
  request.page.clear();
  request.file = path;
  EXPECT_THROW(explain_memory(request), UsageError);
  EXPECT_THROW(explain_memory(ExplainMemoryRequest{}), UsageError);
}

}  // namespace
}  // namespace headroom::allocator
