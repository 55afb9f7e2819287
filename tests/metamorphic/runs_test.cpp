// Tests that lists, files and settings that must not matter change no answer of `molgauge domain`.

#include <algorithm>
#include <filesystem>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "base/core/files/atomic_file.h"
#include "comparison.h"
#include "drawings.h"

namespace molgauge::test {
namespace {

using Words = std::vector<std::string>;

void write_gzip(const std::string& path, const std::string& content) {
  const gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  EXPECT_EQ(gzwrite(file, content.data(), static_cast<unsigned>(content.size())),
            static_cast<int>(content.size()));
  EXPECT_EQ(gzclose(file), Z_OK);
}

template <typename Items>
Items shuffled(Items items, unsigned seed) {
  std::shuffle(items.begin(), items.end(), std::mt19937(seed));
  return items;
}

/// Lines "SMILES id" of a .smi file.
std::string smiles_file(const std::vector<Listed>& rows) {
  std::string text;
  for (const Listed& row : rows) {
    text += row.smiles + " " + row.id + "\n";
  }
  return text;
}

/// An SDF file with the data fields id, y and y_pred. Leaves out the molecules that RDKit reads differently
/// from a mol block.
std::string sdf_file(const std::vector<Listed>& rows) {
  std::string text;
  for (const Listed& row : rows) {
    std::string record = sdf_record(row.smiles, row.id);
    if (!record.empty()) {
      record.resize(record.size() - std::string("$$$$\n").size());
      text += record + fmt::format("> <id>\n{}\n\n> <y>\n{}\n\n> <y_pred>\n{}\n\n$$$$\n", row.id, row.value,
                                   row.prediction);
    }
  }
  return text;
}

/// Compares runs that must give the answers of one base run. `each`: make each change in a separate run.
/// Otherwise, some runs have several changes.
class Runs {
 public:
  Runs(const MoleculeSet& whole, Words encoder, bool each) : encoder_(std::move(encoder)), each_(each) {
    const std::size_t training = is_long() ? 600 : 150, calibration = is_long() ? 80 : 50,
                      candidates = is_long() ? 200 : 30;
    const MoleculeSet part = distinct_part(whole, training + calibration + candidates);
    training_ = listed(slice(part, 0, training), "t");
    const std::vector<Listed> calibrating = listed(slice(part, training, training + calibration), "k");
    calibration_ = file("calibration.csv", table_of(calibrating));
    others_ = listed(slice(part, 0, 30), "o");
    candidates_ = listed(slice(part, training + calibration, part.smiles.size()), "c");
    const std::vector<Listed> known = listed(slice(part, 30, 40), "d");
    candidates_.insert(candidates_.end(), known.begin(), known.end());
    for (const char* const salt : {"CC[NH2+]Cc1ccccc1.[Cl-]", "[Na+].CCCCC(=O)[O-]", "OC[C@H](N)C(=O)O.O"}) {
      candidates_.push_back({"s" + std::to_string(candidates_.size()), salt, "1", "0.5"});
    }
    train_file_ = file("train.csv", table_of(training_));
    list_file_ = file("candidates.csv", table_of(candidates_));
    base_ = judge(train_file_, list_file_);
  }

  void lists() {
    std::vector<Listed> other(candidates_.begin() + 7, candidates_.begin() + 25);
    other.insert(other.begin() + 9, others_.begin(), others_.end());
    Answers found = judge(train_file_, file("list.csv", table_of(shuffled(other, 1))));
    std::erase_if(found, [](const auto& entry) { return entry.first.starts_with('o'); });
    compare(Change::other_candidates, found);
    if (each_) {
      compare(Change::candidate_order,
              judge(train_file_, file("list.csv", table_of(shuffled(candidates_, 1)))));
      compare(Change::other_candidates,
              judge(train_file_, file("list.csv", table_of({candidates_.begin(), candidates_.begin() + 1}))));
    }
  }

  void training_sets() {
    std::vector<Listed> repeated = shuffled(training_, 3);
    for (std::size_t i = 0; i < training_.size(); i += 3) {
      const DrawnMolecule drawn = draw(training_[i].smiles, static_cast<unsigned>(i), 1);
      Listed again = training_[i];
      again.id += "again";
      again.smiles = drawn.drawings[i % drawn.drawings.size()].smiles;
      repeated.push_back(again);
    }
    compare(Change::repeated_training, judge(file("other.csv", table_of(repeated)), list_file_));
    for (const unsigned seed : each_ ? std::vector<unsigned>{1, 2} : std::vector<unsigned>{}) {
      compare(Change::training_order,
              judge(file("other.csv", table_of(shuffled(training_, seed))), list_file_));
    }
  }

  void settings() {
    place_.use_store("budget");
    compare(Change::memory_budget, judge(train_file_, list_file_,
                                         {"--memory-budget", "1GiB", "--page-rows", "7", "--threads", "1"}));
    compare(Change::full_store, judge(train_file_, list_file_, {"--threads", "2"}));
    if (each_) {
      place_.use_store("threads");
      compare(Change::threads, judge(train_file_, list_file_, {"--threads", "3"}));
    }
    place_.use_store("store");
  }

  void resumed() {
    const std::string out = place_.path("killed.csv");
    CommandOptions options;
    options.kill_when = [&] { return std::filesystem::exists(out + ".parts"); };
    place_.use_store("killed");
    place_.call(words(train_file_, list_file_, {"--out", out}), options);
    ASSERT_EQ(place_.call(words(train_file_, list_file_, {"--out", out})).exit_code, 0);
    compare(Change::resumed_run, answers_in(out));
    place_.use_store("store");
    if (each_) {
      compare(Change::resumed_run, judge(train_file_, list_file_));
    }
  }

  void saved() {
    const std::string folder = place_.path("saved");
    compare(Change::saved_domain, judge(train_file_, list_file_, {"--save", folder}));
    Words words = {folder, list_file_};
    if (encoder_.size() > 2) {  // the folder of the weights
      words.insert(words.end(), encoder_.begin() + 2, encoder_.end());
    }
    compare(Change::saved_domain, place_.judge(words));
  }

  void formats() {
    compare(Change::file_format, judge(file("train.tsv", table_of(training_, '\t')),
                                       file("list.tsv", table_of(candidates_, '\t'))));
    Answers found = judge(train_file_, file("list.sdf", sdf_file(candidates_)));
    EXPECT_GE(found.size() + 3, base_.size()) << "RDKit reads these molecules from mol blocks";
    if (found.size() < base_.size()) {
      for (auto& [id, cells] : found) {
        cells.erase("domain_q_value");  // it depends on the length of the list
      }
    }
    compare(Change::mol_block, found);
    // A .smi file has no column for predictions.
    const std::string lines = smiles_file(candidates_), training = file("train.smi", smiles_file(training_));
    compare(Change::file_format, without_predictions(training, file("list.smi", lines)));
    if (each_) {
      write_gzip(place_.path("list.csv.gz"), table_of(candidates_));
      compare(Change::file_format, judge(train_file_, place_.path("list.csv.gz")));
      CommandOptions piped;
      piped.stdin_text = lines;
      compare(Change::file_format, without_predictions(train_file_, "-", piped));
    }
  }

  void expect_one_answer(const std::string& where) const {
    differences_.expect_none(where, 200 * base_.size());
  }

 private:
  std::string file(const std::string& name, const std::string& content) {
    return place_.files().file(name, content);
  }

  Words words(const std::string& training, const std::string& candidates, const Words& more) const {
    Words all = {training, candidates};
    all.insert(all.end(), encoder_.begin(), encoder_.end());
    all.insert(all.end(),
               {"--calibration", calibration_, "--label-column", "y", "--prediction-column", "y_pred"});
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }

  Answers judge(const std::string& training, const std::string& candidates, const Words& more = {}) {
    return place_.judge(words(training, candidates, more));
  }

  Answers without_predictions(const std::string& training, const std::string& candidates,
                              const CommandOptions& options = {}) {
    Words all = {training, candidates};
    all.insert(all.end(), encoder_.begin(), encoder_.end());
    return place_.judge(all, options);
  }

  void compare(Change change, const Answers& found) {
    EXPECT_FALSE(found.empty()) << name_of(change);
    differences_.compare(change, base_, found);
  }

  DomainPlace place_;
  Words encoder_;
  bool each_;
  std::vector<Listed> training_, candidates_, others_;
  std::string calibration_, train_file_, list_file_;
  Answers base_;
  Differences differences_;
};

void expect_runs_agree(const MoleculeSet& set, const Words& encoder, bool each, const std::string& where) {
  Runs runs(set, encoder, each);
  runs.lists();
  runs.training_sets();
  runs.settings();
  runs.resumed();
  runs.saved();
  runs.formats();
  runs.expect_one_answer(where);
}

TEST(Runs, OfNciMoleculesGiveOneAnswer) {
  expect_runs_agree(nci_set(2000), {"--encoder", "ecfp"}, true, "ecfp");
}

class RunsParity : public testing::TestWithParam<std::string> {};

TEST_P(RunsParity, OfOneListGiveOneAnswer) {
  const auto whole = public_set(GetParam());
  if (!whole) {
    GTEST_SKIP() << "the set " << GetParam() << " is not in the reference data";
  }
  DomainPlace place;  // owns weights that the test has to install
  Words minimol = place.minimol();
  if (minimol.empty()) {
    minimol = {"--encoder", "ecfp"};
  }
  expect_runs_agree(*whole, minimol, is_long(), GetParam() + " with " + minimol[1]);
}

INSTANTIATE_TEST_SUITE_P(Sets, RunsParity, testing::ValuesIn(public_sets()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace molgauge::test
