// Tests that the drawing of a molecule changes no answer of `molgauge domain`.

#include "drawings.h"

#include <cstddef>
#include <iostream>

#include <gtest/gtest.h>

#include "comparison.h"

namespace molgauge::test {
namespace {

constexpr std::size_t kCalibration = 80;

struct Sizes {
  std::size_t training = 260, candidates = 24, orders = 1;
};

Sizes sizes() { return is_long() ? Sizes{600, 200, 4} : Sizes{}; }

/// Judges every drawing of some molecules in one call, and compares the answers with the answers for the
/// drawing of the set.
class DrawnSet {
 public:
  explicit DrawnSet(const MoleculeSet& whole) {
    const std::size_t candidates = sizes().candidates;
    const MoleculeSet part = distinct_part(whole, sizes().training + kCalibration + candidates / 2);
    are_classes_ = whole.are_classes;
    const MoleculeSet training = slice(part, 0, sizes().training);
    training_ = place_.files().file("train.csv", table_of(listed(training, "t")));
    const std::size_t first_candidate = sizes().training + kCalibration;
    calibration_ = place_.files().file("calibration.csv",
                                       table_of(listed(slice(part, sizes().training, first_candidate), "k")));
    add_candidates(slice(part, 0, candidates / 2));
    add_candidates(slice(part, first_candidate, part.smiles.size()));
    candidates_ = place_.files().file("candidates.csv", table_of(rows_));
  }

  bool are_classes() const { return are_classes_; }
  DomainPlace& place() { return place_; }

  std::vector<std::string> with_predictions(std::vector<std::string> options) const {
    const std::string column = options.front() == "--model" ? "task_0" : "y_pred";
    options.insert(options.end(),
                   {"--calibration", calibration_, "--label-column", "y", "--prediction-column", column});
    return options;
  }

  void expect_one_answer(const std::vector<std::string>& options, const std::string& where) {
    std::vector<std::string> words = {training_, candidates_};
    words.insert(words.end(), options.begin(), options.end());
    const Answers answers = place_.judge(words);
    ASSERT_EQ(answers.size(), rows_.size());
    const bool is_learned = options.front() == "--model";
    Differences differences;
    std::size_t number = 0;
    for (std::size_t m = 0; m < molecules_.size(); ++m) {
      const DrawnMolecule& molecule = molecules_[m];
      const std::size_t first = number;
      for (std::size_t d = 0; d < molecule.drawings.size(); ++d, ++number) {
        const Drawing& drawing = molecule.drawings[d];
        differences.compare(drawing.change, answers.at(rows_[first].id), answers.at(rows_[number].id),
                            drawing.smiles + " for " + molecule.drawings[0].smiles,
                            is_learned && molecule.has_chirality_tags && molecule.is_standard);
      }
    }
    differences.expect_none(where, 30 * molecules_.size());
  }

 private:
  void add_candidates(const MoleculeSet& set) {
    for (std::size_t i = 0; i < set.smiles.size(); ++i) {
      molecules_.push_back(draw(set.smiles[i], static_cast<unsigned>(molecules_.size()), sizes().orders));
      EXPECT_LE(molecules_.back().misperceived, 2U) << set.smiles[i];
      const std::string prediction = made_prediction(set.values[i], i, set.are_classes);
      for (const Drawing& drawing : molecules_.back().drawings) {
        rows_.push_back({"c" + std::to_string(rows_.size()), drawing.smiles, set.values[i], prediction});
      }
    }
  }

  DomainPlace place_;
  bool are_classes_ = false;
  std::string training_, calibration_, candidates_;
  std::vector<DrawnMolecule> molecules_;
  std::vector<Listed> rows_;
};

std::vector<std::string> chemprop_model(bool are_classes) {
  return {"--model", (own_data("chemprop") / (are_classes ? "v2_binary.pt" : "v2_regression.pt")).string()};
}

TEST(Drawings, OfNciMoleculesGiveOneAnswer) {
  DrawnSet set(nci_set(2000));
  set.expect_one_answer(set.with_predictions({"--encoder", "ecfp"}), "ecfp");
  set.expect_one_answer(set.with_predictions(chemprop_model(false)), "chemprop");
}

class DrawingsParity : public testing::TestWithParam<std::string> {};

TEST_P(DrawingsParity, OfOneMoleculeGiveOneAnswer) {
  const auto whole = public_set(GetParam());
  if (!whole) {
    GTEST_SKIP() << "the set " << GetParam() << " is not in the reference data";
  }
  DrawnSet set(*whole);
  set.expect_one_answer(set.with_predictions({"--encoder", "ecfp"}), "ecfp");
  set.expect_one_answer(set.with_predictions(chemprop_model(set.are_classes())), "chemprop");
  std::vector<std::string> minimol = set.place().minimol();
  if (minimol.empty()) {
    std::cout << "MOLGAUGE_TEST_WEIGHTS names no weights: MiniMol is not tested\n";
    return;
  }
  set.expect_one_answer(set.with_predictions(minimol), "minimol");
  if (is_long()) {
    for (const char* const method : {"knn", "tanimoto", "rarity", "coverage", "mahalanobis", "density"}) {
      std::vector<std::string> options = minimol;
      options.insert(options.end(), {"--method", method});
      set.expect_one_answer(options, method);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, DrawingsParity, testing::ValuesIn(public_sets()),
                         [](const auto& test) { return test.param; });

/// Two tautomers are two molecules for `parent`, and one molecule for `tautomer`.
TEST(Drawings, TautomersGiveOneAnswerInTheirMode) {
  const std::vector<std::pair<std::string, std::string>> pairs = {
      {"Oc1ccccn1", "O=c1cccc[nH]1"},           {"Cc1c[nH]cn1", "Cc1cnc[nH]1"},
      {"CC(=O)CC(C)=O", "CC(=O)C=C(C)O"},       {"Oc1ccc2ccccc2n1", "O=c1ccc2ccccc2[nH]1"},
      {"Nc1nc(=O)cc[nH]1", "Nc1nccc(=O)[nH]1"}, {"Sc1ccccn1", "S=c1cccc[nH]1"}};
  DomainPlace place;
  const MoleculeSet set = distinct_part(nci_set(1500), 260);
  const std::string training = place.files().file("train.csv", table_of(listed(set, "t")));
  std::string text = "id,smiles\n";
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    text += "a" + std::to_string(i) + "," + pairs[i].first + "\nb" + std::to_string(i) + "," +
            pairs[i].second + "\n";
  }
  const Answers answers = place.judge({training, place.files().file("candidates.csv", text), "--encoder",
                                       "ecfp", "--standardize", "tautomer"});
  Differences differences;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::string number = std::to_string(i);
    differences.compare(Change::tautomer, answers.at("a" + number), answers.at("b" + number),
                        pairs[i].second);
  }
  differences.expect_none("tautomer", 100);
}

}  // namespace
}  // namespace molgauge::test
