#include "comparison.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/core/hash.h"
#include "base/io/tables/csv_reader.h"

namespace molgauge::test {
namespace {

/// Columns of our candidates.
const std::set<std::string> kInput = {"id", "smiles", "y", "y_pred", "name"};

bool matches(const std::string& column, std::string_view pattern) {
  return pattern.ends_with('*') ? column.starts_with(pattern.substr(0, pattern.size() - 1))
                                : column == pattern;
}

const AnswerRow* answer_of(const std::string& column) {
  for (const AnswerRow& row : answer_rows()) {
    if (std::any_of(row.columns.begin(), row.columns.end(),
                    [&](std::string_view pattern) { return matches(column, pattern); })) {
      return &row;
    }
  }
  return nullptr;
}

bool are_close(const std::string& one, const std::string& other) {
  char *end_of_one = nullptr, *end_of_other = nullptr;
  const double a = std::strtod(one.c_str(), &end_of_one), b = std::strtod(other.c_str(), &end_of_other);
  if (one.empty() || other.empty() || *end_of_one != 0 || *end_of_other != 0) {
    return one == other;
  }
  return std::abs(a - b) <= 1e-4;
}

std::size_t words_in(const std::string& text) {
  std::istringstream words(text);
  std::size_t count = 0;
  for (std::string word; words >> word;) {
    ++count;
  }
  return count;
}

bool are_equal(Equality equality, const std::string& one, const std::string& other) {
  switch (equality) {
    case Equality::text:
      return one == other;
    case Equality::number:
      return are_close(one, other);
    case Equality::atom_count:
      return words_in(one) == words_in(other);
  }
  return false;
}

/// Maximum number of rows that a message shows for each change.
constexpr std::size_t kMaxExamples = 3;

double unit_number(const std::string& text) { return (hash128(text)[0] * 256.0 + hash128(text)[1]) / 65536; }

}  // namespace

Answers answers_in(const std::string& csv) {
  io::CsvReader reader(csv, ',');
  const std::vector<std::string> columns = reader.next()->fields;
  const bool has_id = std::find(columns.begin(), columns.end(), "id") != columns.end();
  Answers answers;
  while (const auto row = reader.next()) {
    Cells cells;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      cells[columns[i]] = row->fields.at(i);
    }
    const std::string id = cells[has_id ? "id" : "name"];
    EXPECT_TRUE(answers.emplace(id, std::move(cells)).second) << id << " occurs twice";
  }
  return answers;
}

std::string made_prediction(const std::string& value, std::size_t number, bool is_class) {
  const double noise = unit_number("prediction " + std::to_string(number)) - 0.5;
  if (is_class) {
    return fmt::format("{:.4f}", std::clamp(0.3 + 0.4 * std::stod(value) + 0.5 * noise, 0.01, 0.99));
  }
  return fmt::format("{:.4f}", std::stod(value) + 2 * noise);
}

std::vector<Listed> listed(const MoleculeSet& set, const std::string& prefix) {
  std::vector<Listed> rows;
  for (std::size_t i = 0; i < set.smiles.size(); ++i) {
    rows.push_back({prefix + std::to_string(i), set.smiles[i], set.values[i],
                    made_prediction(set.values[i], i, set.are_classes)});
  }
  return rows;
}

std::string table_of(const std::vector<Listed>& rows, char separator) {
  std::string text = fmt::format("id{0}smiles{0}y{0}y_pred\n", separator);
  for (const Listed& row : rows) {
    text += fmt::format("{1}{0}{2}{0}{3}{0}{4}\n", separator, row.id, row.smiles, row.value, row.prediction);
  }
  return text;
}

void Differences::compare(Change change, const Cells& expected, const Cells& found, const std::string& what,
                          bool learned_and_chiral) {
  std::string differing;
  for (const auto& [column, cell] : found) {
    if (kInput.contains(column)) {
      continue;
    }
    const AnswerRow* const answer = answer_of(column);
    if (answer == nullptr) {
      if (unknown_columns_.insert(column).second) {
        ADD_FAILURE() << "no answer of the table has the column " << column;
      }
      continue;
    }
    // A run that judges no predictions decides by the verdict alone.
    const bool decides_by_verdict = expected.contains("prediction_expected_error") &&
                                    !found.contains("prediction_expected_error") &&
                                    answer->name == "decision";
    if (decides_by_verdict || is_excepted(change, answer->name, learned_and_chiral)) {
      continue;
    }
    ++compared_;
    const auto other = expected.find(column);
    if (other == expected.end() ||
        !are_equal(is_drawing(change) ? answer->of_drawings : answer->of_runs, other->second, cell)) {
      ++differing_;
      const std::string& before = other == expected.end() ? "no column" : other->second;
      differing += fmt::format("    {}: {} instead of {}\n", column, cell, before);
    }
  }
  Found& kind = found_[change];
  if (!differing.empty() && ++kind.rows <= kMaxExamples) {
    kind.examples += fmt::format("  {}\n{}", what, differing);
  }
}

void Differences::compare(Change change, const Answers& expected, const Answers& found) {
  for (const auto& [id, cells] : found) {
    const auto other = expected.find(id);
    ASSERT_NE(other, expected.end()) << id;
    compare(change, other->second, cells, id + " " + cells.at("smiles"));
  }
}

void Differences::expect_none(const std::string& where, std::size_t minimum) const {
  EXPECT_GE(compared_, minimum) << where;
  std::string text;
  for (const auto& [change, found] : found_) {
    if (found.rows > 0) {
      text += fmt::format("{}: {} rows differ, for example\n{}", name_of(change), found.rows, found.examples);
    }
  }
  EXPECT_EQ(differing_, 0U) << where << ", of " << compared_ << " comparisons:\n" << text;
}

Outcome DomainPlace::call(std::vector<std::string> words, const CommandOptions& options) {
  words.insert(words.begin(), "domain");
  words.insert(words.end(), {"--store", place_.path(store_), "--quiet"});
  if (std::find(words.begin(), words.end(), "--page-rows") == words.end()) {
    words.insert(words.end(), {"--page-rows", "1"});  // drawings of structures take time
  }
  return molgauge(words, options);
}

Answers DomainPlace::judge(std::vector<std::string> words, const CommandOptions& options) {
  const std::string out = place_.path("domain.csv");
  words.insert(words.end(), {"--out", out});
  const Outcome outcome = call(words, options);
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  return outcome.exit_code == 0 ? answers_in(out) : Answers{};
}

std::vector<std::string> DomainPlace::minimol() {
  const char* const from = std::getenv("MOLGAUGE_TEST_WEIGHTS");
  if (from == nullptr || *from == 0) {
    return {};
  }
  std::string weights = from;  // installed weights, or a wheel or .pth file to install
  if (!std::filesystem::is_directory(from)) {
    weights = place_.path("weights");
    if (!std::filesystem::exists(weights)) {
      EXPECT_EQ(molgauge({"weights", "install", "minimol", "--from", from, "--weights", weights}).exit_code,
                0);
    }
  }
  return {"--encoder", "minimol", "--weights", weights};
}

bool is_long() {
  const char* const wanted = std::getenv("MOLGAUGE_METAMORPHIC");
  return wanted != nullptr && std::string(wanted) == "long";
}

}  // namespace molgauge::test
