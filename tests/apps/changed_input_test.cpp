// Another program changes an input while a command reads it. The command ends with exit code 3, or gives the
// answer for the old or the new content. It never gives another answer.

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/core/files/atomic_file.h"
#include "support/fixtures.h"
#include "support/instrumented.h"
#include "workplace.h"

namespace molgauge::test {
namespace {

using Lines = std::vector<std::string>;  ///< the first line is the header

std::string text_of(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) {
    text += line + "\n";
  }
  return text;
}

Lines reversed(Lines lines) {
  std::reverse(lines.begin() + 1, lines.end());
  return lines;
}

Lines shortened(Lines lines) {
  lines.resize(lines.size() - 3);
  return lines;
}

Lines lengthened(Lines lines) {
  lines.push_back(lines[1]);
  lines.push_back(lines[2]);
  return lines;
}

/// Molecules with a measured value, a prediction, and three descriptors.
Lines table(std::size_t first, std::size_t count) {
  const Lines rings = {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1"};
  const Lines ends = {"O", "N", "C(=O)O", "C#N", "Cl", "F"};
  std::mt19937 random(static_cast<std::uint32_t>(first));
  Lines lines = {"id,smiles,y,y_pred,part,a,b,c"};
  for (std::size_t i = first; i < first + count; ++i) {
    const double value = static_cast<double>(random() % 1000) / 100,
                 error = static_cast<double>(random() % 100) / 50;
    std::ostringstream line;
    line << "m" << i << "," << rings[i % 5] << std::string(1 + i / 30, 'C') << ends[i / 5 % 6] << "," << value
         << "," << value + error << "," << (i % 3 == 0 ? "cal" : "train") << "," << i % 7 << "," << i % 3
         << "," << i % 11;
    lines.push_back(line.str());
  }
  return lines;
}

std::string model(const std::string& name) { return (own_data("chemprop") / name).string(); }

class ChangedInput : public testing::Test {
 protected:
  void SetUp() override {
    if (is_instrumented()) {
      GTEST_SKIP() << "a sanitizer has to be loaded first";
    }
  }

  /// Runs a command that writes out.csv. `changed`: name of the input that changes.
  struct Case {
    std::vector<std::string> words;
    std::string changed;
    Lines content;
  };

  void write(const Case& tested, const Lines& content) const {
    place_.file(tested.changed, text_of(content));
  }

  /// Returns the exit code, and the written table if the call succeeded.
  std::pair<int, std::string> run(const Case& tested,
                                  std::map<std::string, std::string> environment = {}) const {
    std::filesystem::remove(place_.path("out.csv"));
    CommandOptions options;
    options.environment = std::move(environment);
    std::vector<std::string> words = tested.words;
    words.insert(words.end(), {"--out", place_.path("out.csv"), "--store", place_.path("store"), "--quiet"});
    const Outcome outcome = molgauge(words, options);
    const std::string out = place_.path("out.csv");
    EXPECT_EQ(std::filesystem::exists(out), outcome.exit_code == 0) << outcome.err;
    return {outcome.exit_code, outcome.exit_code == 0 ? read_file(out) : outcome.err};
  }

  /// Changes the input before each of its openings, in several ways.
  void expect_error_or_answer(const Case& tested,
                              const std::vector<Lines (*)(Lines)>& changes = {reversed, shortened}) const {
    write(tested, tested.content);
    const auto before = run(tested);
    ASSERT_EQ(before.first, 0) << before.second;
    bool is_in_place = false;  // the first change replaces the file
    std::size_t refused = 0;
    for (const auto& change : changes) {
      const Lines content = change(tested.content);
      write(tested, content);
      const auto after = run(tested);
      const std::string to = place_.file("changed-to", text_of(content));
      for (int open = 1;; ++open) {
        write(tested, tested.content);
        std::map<std::string, std::string> environment = {
            {"LD_PRELOAD", MOLGAUGE_CHANGING_FILE},
            {"MOLGAUGE_CHANGED_FILE", place_.path(tested.changed)},
            {"MOLGAUGE_CHANGED_TO", to},
            {"MOLGAUGE_CHANGE_AT", std::to_string(open)}};
        if (is_in_place) {
          environment["MOLGAUGE_CHANGE_IN_PLACE"] = "1";
        }
        const auto found = run(tested, environment);
        const bool is_answer = found == before || found == after;
        EXPECT_TRUE(is_answer || found.first == 3)
            << tested.words.front() << ", " << tested.changed << " changed at opening " << open
            << ": exit code " << found.first << "\n"
            << found.second;
        refused += found.first == 3 ? 1 : 0;
        if (read_file(place_.path(tested.changed)) == text_of(tested.content)) {
          EXPECT_GT(open, 1) << "the command does not open " << tested.changed;
          break;
        }
      }
      is_in_place = true;
    }
    EXPECT_GT(refused, 0U) << tested.words.front() << ": " << tested.changed;
  }

  Workplace place_;
};

TEST_F(ChangedInput, OfPredict) {
  const std::string in = place_.path("in.csv");
  expect_error_or_answer({{"predict", model("v2_regression.pt"), in}, "in.csv", table(0, 40)},
                         {reversed, shortened, lengthened, reversed});
  expect_error_or_answer(
      {{"predict", model("v2_descriptors.pt"), in, "--descriptor-columns", "a,b,c"}, "in.csv", table(0, 40)});
}

TEST_F(ChangedInput, OfDomain) {
  const std::string train = place_.file("train.csv", text_of(table(0, 120))),
                    in = place_.file("in.csv", text_of(table(200, 30))),
                    cal = place_.file("cal.csv", text_of(table(120, 60)));
  const std::vector<std::string> calibrated = {"domain", train,
                                               in,       "--encoder",
                                               "ecfp",   "--calibration",
                                               cal,      "--label-column",
                                               "y",      "--prediction-column",
                                               "y_pred"};
  expect_error_or_answer({calibrated, "cal.csv", table(120, 60)});
  expect_error_or_answer({calibrated, "in.csv", table(200, 30)});
  expect_error_or_answer({calibrated, "train.csv", table(0, 120)});
}

TEST_F(ChangedInput, OfDomainWithAModel) {
  const std::string train = place_.file("train.csv", text_of(table(0, 120))),
                    in = place_.file("in.csv", text_of(table(200, 30))),
                    cal = place_.file("cal.csv", text_of(table(120, 60)));
  const std::vector<std::string> words = {
      "domain", train, in, "--model", model("v2_regression.pt"), "--calibration", cal, "--label-column", "y"};
  expect_error_or_answer({words, "cal.csv", table(120, 60)});
  expect_error_or_answer({words, "in.csv", table(200, 30)});
}

TEST_F(ChangedInput, OfOtherVerbs) {
  const std::string train = place_.file("train.csv", text_of(table(0, 120))),
                    in = place_.file("in.csv", text_of(table(200, 30)));
  expect_error_or_answer({{"domain", train, in, "--encoder", "ecfp", "--calibration-split", "part=cal",
                           "--label-column", "y", "--prediction-column", "y_pred"},
                          "train.csv",
                          table(0, 120)});
  place_.file("train.csv", text_of(table(0, 120)));
  ASSERT_EQ(molgauge({"domain", train, in, "--encoder", "ecfp", "--save", place_.path("saved"), "--out",
                      place_.path("d.csv"), "--store", place_.path("store")})
                .exit_code,
            0);
  expect_error_or_answer({{"domain", place_.path("saved"), in}, "in.csv", table(200, 30)});
}

}  // namespace
}  // namespace molgauge::test
