// Tests the parsing of out-of-memory messages of PyTorch 1.0 to 2.15, CUDA and others. The messages in
// tests/fixtures/allocator/messages.json are our own variants of the published forms.

#include <algorithm>
#include <cctype>
#include <cmath>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "memgauge/explain/message_explanation.h"
#include "memgauge/explain/message_search.h"
#include "memgauge/verbs/verbs.h"
#include "support/fixtures.h"

namespace molgauge::allocator {
namespace {

using nlohmann::json;
using testing::HasSubstr;

json messages() { return json::parse(read_file(molgauge::test::own_data("allocator/messages.json"))); }

/// Returns whether two values agree. Numbers may differ by 2, because amounts with two decimals are
/// rounded.
bool is_about(const json& found, const json& expected) {
  if (!expected.is_number() || !found.is_number()) {
    return found == expected;
  }
  const double difference = std::abs(found.get<double>() - expected.get<double>());
  return difference <= 2;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

/// A field of the table that contains a text, a list of texts, or nothing.
std::vector<std::string> texts(const json& message, const char* field) {
  if (!message.contains(field)) {
    return {};
  }
  return message[field].is_string() ? std::vector<std::string>{message[field]}
                                    : message[field].get<std::vector<std::string>>();
}

class MessageTable : public testing::TestWithParam<json> {};

TEST_P(MessageTable, HasItsVerdictAndItsSentences) {
  const json& message = GetParam();
  SCOPED_TRACE(message["name"]);
  const auto explanation = explain_message(message["text"].get<std::string>(), "message");
  const json found = json::parse(explanation.json);
  EXPECT_EQ(found["verdict"], message["verdict"]) << explanation.text;
  EXPECT_EQ(found["certainty"], message["certainty"]) << explanation.text;
  for (const auto& [key, value] : message["numbers"].items()) {
    EXPECT_TRUE(is_about(found[key], value)) << key << " is " << found[key] << "\n" << explanation.text;
  }
  const std::string text = lower(explanation.text);
  for (const auto& part : texts(message, "says")) {
    EXPECT_THAT(text, HasSubstr(lower(part)));
  }
  for (const auto& part : texts(message, "never")) {
    EXPECT_THAT(text, testing::Not(HasSubstr(lower(part))));
  }
  const bool has_snapshots =
      found["platform"] != "CPU" && found["platform"] != "MPS" && found["writer"] == "PyTorch";
  EXPECT_EQ(text.find("molgauge memory explain snapshot.pickle") != std::string::npos, has_snapshots) << text;
}

/// Cuts lines at a number of bytes, as a terminal does.
std::string cut_at(const std::string& text, std::size_t width) {
  std::string cut;
  std::size_t column = 0;
  for (const char letter : text) {
    if (letter != '\n' && column == width) {
      cut += '\n';
      column = 0;
    }
    cut += letter;
    column = letter == '\n' ? 0 : column + 1;
  }
  return cut;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

TEST_P(MessageTable, MeansTheSameInATerminalALogAndAChat) {
  const auto text = GetParam()["text"].get<std::string>();
  SCOPED_TRACE(GetParam()["name"]);
  const auto of = [](const std::string& given) {
    return json::parse(explain_message(given, "message").json);
  };
  const json expected = of(text);
  for (const std::string& other :
       {cut_at(text, 60), cut_at(text, 80), cut_at(text, 100), cut_at(text, 132), with(text, "\n", "\r\n"),
        with(text, " ", "\xC2\xA0"), "\x1b[31m" + text + "\x1b[0m", "    " + with(text, "\n", "\n    "),
        text + "\n"}) {
    EXPECT_EQ(of(other), expected) << other;
  }
}

INSTANTIATE_TEST_SUITE_P(All, MessageTable, testing::ValuesIn(messages().get<std::vector<json>>()),
                         [](const testing::TestParamInfo<json>& row) {
                           return "Row" + std::to_string(row.index);
                         });

TEST(Message, TableHasEightyTexts) { EXPECT_GE(messages().size(), 80U); }

TEST(Message, OfAnotherFrameworkIsRefusedByName) {
  const json all = json::parse(read_file(molgauge::test::own_data("allocator/foreign_messages.json")));
  for (const auto& message : all) {
    SCOPED_TRACE(message["text"]);
    try {
      explain_message(message["text"].get<std::string>(), "log.txt");
      ADD_FAILURE();
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("log.txt: the out-of-memory message is of " +
                                          message["framework"].get<std::string>()));
    }
  }
}

TEST(Message, OfPyTorchIsExplainedNextToAnotherFramework) {
  const auto found = explain_message(
      "tensorflow/core/util/port.cc: oneDNN is on. OOM\nCUDA out of memory. Tried to allocate 1.50 GiB.",
      "log");
  EXPECT_THAT(found.text, HasSubstr("1.50 GiB were requested"));
}

TEST(Message, TellsWhichVersionsWriteIt) {
  const auto versions = [](const char* text) { return read_messages(text).at(0).versions; };
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
  EXPECT_TRUE(read_messages("Segmentation fault").empty());
  EXPECT_TRUE(read_messages("").empty());
  try {
    explain_message("KeyError: 'x'", "log.txt");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("log.txt: the text does not contain an out-of-memory message"));
  }
}

TEST(Message, ThatWasCutOffDoesNotTellItsVersion) {
  for (const char* const text : {"CUDA out of memory.", "CUDA out of memory. Tried to allocate 1.50 GiB."}) {
    const auto messages = read_messages(text);
    ASSERT_EQ(messages.size(), 1U);
    const auto* const message = messages.data();
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
  const auto found = read_messages(
      "CUDA out of memory. Tried to allocate -3.00 GiB (GPU x; 1e400 GiB total capacity; nan already "
      "allocated; "
      "free; MiB reserved in total by PyTorch)");
  ASSERT_EQ(found.size(), 1U);
  const auto* const message = found.data();
  EXPECT_FALSE(message->requested || message->capacity || message->allocated || message->reserved);
  EXPECT_FALSE(message->device.has_value());
}

TEST(Message, IsReadFromAFileAndTakesNoOptionsOfRecordings) {
  const molgauge::test::TemporaryFolder folder;
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
}  // namespace molgauge::allocator
