// Tests calls of the C API with molecules in memory.

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "api/arrow_stream.h"
#include "api/c_session.h"
#include "base/core/files/atomic_file.h"
#include "molgauge/engine.h"
#include "molgauge/molgauge.h"
#include "support/fixtures.h"

namespace molgauge {
namespace {

using arrow::InputColumn;
using arrow::InputTable;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> ethers() {
  std::vector<std::string> smiles;
  for (std::size_t i = 1; i <= 200; ++i) {
    smiles.push_back(std::string(i, 'C') + "OCC" + std::string(i % 7, 'C'));
  }
  return smiles;
}

class Tables : public testing::Test {
 protected:
  void SetUp() override {
    molgauge_session_options options = {};
    options.struct_size = sizeof(options);
    options.quiet = 1;
    options.log_level = MOLGAUGE_LOG_ERROR;
    ASSERT_EQ(molgauge_open(&options, &session_), MOLGAUGE_DONE) << molgauge_last_error();
  }
  void TearDown() override { molgauge_close(session_); }

  /// Makes a stream of plain arrays, as a C program does.
  static ArrowArrayStream stream_of(const std::vector<std::string>& smiles,
                                    const std::vector<double>& values = {},
                                    const std::vector<std::string>& labels = {}) {
    std::string characters[2];
    std::vector<std::int64_t> offsets[2] = {{0}, {0}};
    for (const int column : {0, 1}) {
      for (const std::string& text : column == 0 ? smiles : labels) {
        characters[column] += text;
        offsets[column].push_back(static_cast<std::int64_t>(characters[column].size()));
      }
    }
    const molgauge_texts texts[] = {{"smiles", characters[0].c_str(), offsets[0].data()},
                                    {"label", characters[1].c_str(), offsets[1].data()}};
    const molgauge_numbers numbers = {"value", values.data()};
    ArrowArrayStream stream = {};
    EXPECT_EQ(molgauge_plain_stream(smiles.size(), texts, labels.empty() ? 1 : 2, &numbers,
                                    values.empty() ? 0 : 1, &stream),
              MOLGAUGE_DONE)
        << molgauge_last_error();
    return stream;
  }

  std::string request(json options = json::object()) const {
    options.update({{"store", folder_ / "store"}});
    return options.dump();
  }

  void fit() {
    ArrowArrayStream training = stream_of(ethers());
    const std::string options = request({{"encoder", "ecfp"}, {"save", folder_ / "saved"}});
    char* report = nullptr;
    ASSERT_EQ(molgauge_fit_domain(session_, options.c_str(), &training, nullptr, &report), MOLGAUGE_DONE)
        << molgauge_last_error();
    EXPECT_EQ(json::parse(report).at("training_molecules"), 200);
    molgauge_free(report);
    EXPECT_EQ(training.release, nullptr);
  }

  static const InputColumn& column(const InputTable& table, const std::string& name) {
    for (const InputColumn& own : table.columns) {
      if (own.name == name) {
        return own;
      }
    }
    throw std::out_of_range(name);
  }

  static std::vector<std::string> texts(const InputTable& table, const std::string& name) {
    std::vector<std::string> all;
    for (const auto& text : column(table, name).texts) {
      all.push_back(text.value_or("NULL"));
    }
    return all;
  }

  /// A column of texts in a batch.
  static std::vector<std::string> texts(const ArrowArray& column) {
    const auto* const valid = static_cast<const unsigned char*>(column.buffers[0]);
    const auto* const offsets = static_cast<const std::int64_t*>(column.buffers[1]);
    const auto* const characters = static_cast<const char*>(column.buffers[2]);
    std::vector<std::string> all;
    for (std::int64_t i = 0; i < column.length; ++i) {
      const bool is_null = valid != nullptr && (valid[i / 8] >> (i % 8) & 1) == 0;
      all.push_back(is_null ? "NULL" : std::string(characters + offsets[i], characters + offsets[i + 1]));
    }
    return all;
  }

  test::TemporaryFolder folder_;
  molgauge_session* session_ = nullptr;
  const std::vector<std::string> probes_ = {std::string(90, 'C') + "OCCCC", "[Na+].[Cl-].[Fe]", "nonsense"};
};

TEST_F(Tables, ScoresOfASavedDomain) {
  fit();
  ArrowArrayStream molecules = stream_of(probes_), scores = {};
  char* report = nullptr;
  const std::string options = request({{"run", folder_ / "saved"}});
  ASSERT_EQ(molgauge_score(session_, options.c_str(), &molecules, &scores, &report), MOLGAUGE_DONE)
      << molgauge_last_error();
  EXPECT_EQ(json::parse(report).at("failed_records"), 1);
  molgauge_free(report);
  const InputTable table = arrow::read_stream(&scores);
  EXPECT_EQ(texts(table, "smiles"), probes_);
  EXPECT_THAT(texts(table, "reason"), ElementsAre("NULL", "NULL", HasSubstr("SMILES")));
  const std::vector<double>& verdicts = column(table, "ood_prediction").numbers;
  EXPECT_EQ(verdicts[0], 0);
  EXPECT_EQ(verdicts[1], 1);
  EXPECT_TRUE(std::isnan(verdicts[2]));
}

TEST_F(Tables, PredictionsOfAModel) {
  ArrowArrayStream molecules = stream_of({"CCO", "C(C", "CCO"}), predictions = {};
  char* report = nullptr;
  const std::string options =
      request({{"model", (test::own_data("chemprop") / "v2_mve.pt").string()}, {"threads", 1}});
  ASSERT_EQ(molgauge_predict(session_, options.c_str(), &molecules, &predictions, &report), MOLGAUGE_DONE)
      << molgauge_last_error();
  EXPECT_EQ(json::parse(report).at("failed_records"), 1);
  EXPECT_EQ(json::parse(report).at("tasks").size(), 2U);
  molgauge_free(report);
  const InputTable table = arrow::read_stream(&predictions);
  EXPECT_THAT(texts(table, "reason"), ElementsAre("NULL", HasSubstr("SMILES"), "NULL"));
  for (const char* const name : {"task_0", "task_0_std", "task_1", "task_1_std"}) {
    const std::vector<double>& numbers = column(table, name).numbers;
    EXPECT_TRUE(std::isfinite(numbers[0])) << name;
    EXPECT_TRUE(std::isnan(numbers[1])) << name;
    EXPECT_EQ(numbers[0], numbers[2]) << name;
  }
}

TEST_F(Tables, VerdictsAreThoseOfTheFileAndOfTheEngine) {
  fit();
  // The list of neighbours is a column that read_stream() does not read, so the columns are taken one by one.
  ArrowArrayStream molecules = stream_of(probes_), verdicts = {};
  const std::string options = request({{"train", folder_ / "saved"}});
  ASSERT_EQ(molgauge_judge(session_, options.c_str(), &molecules, &verdicts, nullptr), MOLGAUGE_DONE)
      << molgauge_last_error();
  ArrowSchema schema;
  ArrowArray batch;
  ASSERT_EQ(verdicts.get_schema(&verdicts, &schema), 0);
  ASSERT_EQ(verdicts.get_next(&verdicts, &batch), 0);
  std::vector<double> p_values;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    if (std::string(schema.children[i]->name) == "domain_p_value") {
      const auto* const numbers = static_cast<const double*>(batch.children[i]->buffers[1]);
      p_values.assign(numbers, numbers + batch.length);
    }
  }
  batch.release(&batch);
  schema.release(&schema);
  verdicts.release(&verdicts);

  DomainRequest own;
  own.training = folder_ / "saved";
  own.store = folder_ / "store";
  const JudgedList judged = engine(session_->session).judge_molecules(own, probes_);
  ASSERT_EQ(p_values.size(), 3U);
  EXPECT_EQ(p_values[0], judged.molecules[0].p_value);
  EXPECT_EQ(p_values[1], judged.molecules[1].p_value);
  EXPECT_TRUE(std::isnan(p_values[2]));

  ArrowArrayStream again = stream_of(probes_);
  const std::string out = folder_ / "domain.csv";
  const std::string to_file = request({{"train", folder_ / "saved"}, {"out", out}});
  ASSERT_EQ(molgauge_domain(session_, to_file.c_str(), &again, nullptr), MOLGAUGE_DONE)
      << molgauge_last_error();
  EXPECT_THAT(read_file(out), HasSubstr(",outside," + fmt::format("{:.6g}", p_values[1])));
}

TEST_F(Tables, FeaturesConformersAndDrawingsHaveARowForEachMolecule) {
  const std::vector<std::string> smiles = {"CCO", "nonsense", "CN"};
  ArrowArrayStream molecules = stream_of(smiles), features = {}, drawings = {}, conformers = {};
  const std::string options = request({{"encoder", "ecfp"}});
  ASSERT_EQ(molgauge_features(session_, options.c_str(), &molecules, &features, nullptr), MOLGAUGE_DONE)
      << molgauge_last_error();
  ArrowArray batch;
  ASSERT_EQ(features.get_next(&features, &batch), 0);
  EXPECT_EQ(batch.length, 3);
  EXPECT_EQ(batch.children[0]->null_count, 1);
  EXPECT_EQ(batch.children[0]->children[0]->length, 3 * 512);
  batch.release(&batch);
  features.release(&features);

  molecules = stream_of(smiles);
  ASSERT_EQ(molgauge_depict(session_, 160, 110, &molecules, &drawings), MOLGAUGE_DONE);
  const InputTable drawn = arrow::read_stream(&drawings);
  EXPECT_THAT(texts(drawn, "drawing"), ElementsAre(HasSubstr("<svg"), "NULL", HasSubstr("<svg")));

  molecules = stream_of(smiles);
  ASSERT_EQ(molgauge_conformers(session_, request().c_str(), &molecules, &conformers), MOLGAUGE_DONE)
      << molgauge_last_error();
  // The lists of atoms are a column that read_stream() does not read.
  ASSERT_EQ(conformers.get_next(&conformers, &batch), 0);
  EXPECT_THAT(texts(*batch.children[0]), ElementsAre(HasSubstr("M  END"), "NULL", HasSubstr("M  END")));
  EXPECT_THAT(texts(*batch.children[2]), ElementsAre("NULL", HasSubstr("SMILES"), "NULL"));
  // Ethanol has 9 atoms, the invalid molecule has none, and methylamine has 7.
  const auto* const offsets = static_cast<const std::int32_t*>(batch.children[1]->buffers[1]);
  EXPECT_THAT(std::vector<std::int32_t>(offsets, offsets + 4), ElementsAre(0, 9, 9, 16));
  EXPECT_EQ(batch.children[1]->children[0]->n_children, 4);
  batch.release(&batch);
  conformers.release(&conformers);
}

TEST_F(Tables, EveryFailureHasItsReason) {
  fit();
  // Together, the texts are longer than the maximum length of a report.
  std::vector<std::string> smiles(300, std::string(6000, 'X'));
  smiles.emplace_back("CCO");
  ArrowArrayStream molecules = stream_of(smiles), features = {}, scores = {};
  const std::string encoding = request({{"encoder", "ecfp"}});
  ASSERT_EQ(molgauge_features(session_, encoding.c_str(), &molecules, &features, nullptr), MOLGAUGE_DONE)
      << molgauge_last_error();
  ArrowArray batch;
  ASSERT_EQ(features.get_next(&features, &batch), 0);
  EXPECT_EQ(batch.children[0]->null_count, 300);  // column of the features
  EXPECT_EQ(batch.children[1]->null_count, 1);    // column of the reasons
  batch.release(&batch);
  features.release(&features);

  molecules = stream_of(smiles);
  const std::string scoring = request({{"run", folder_ / "saved"}});
  ASSERT_EQ(molgauge_score(session_, scoring.c_str(), &molecules, &scores, nullptr), MOLGAUGE_DONE)
      << molgauge_last_error();
  const InputTable table = arrow::read_stream(&scores);
  const auto& reasons = column(table, "reason").texts;
  EXPECT_EQ(std::count(reasons.begin(), reasons.end(), std::nullopt), 1);
}

TEST_F(Tables, AListWithoutAnyMoleculeIsNoError) {
  ArrowArrayStream molecules = stream_of({"nonsense", ""}), features = {};
  ASSERT_EQ(
      molgauge_features(session_, request({{"encoder", "ecfp"}}).c_str(), &molecules, &features, nullptr),
      MOLGAUGE_DONE)
      << molgauge_last_error();
  features.release(&features);
}

TEST_F(Tables, MisuseIsRefusedAndStreamsAreReleased) {
  ArrowArrayStream molecules = stream_of({"CCO"}), verdicts = {};
  EXPECT_EQ(molgauge_judge(nullptr, nullptr, &molecules, &verdicts, nullptr), MOLGAUGE_WRONG_USAGE);
  EXPECT_EQ(molecules.release, nullptr);
  EXPECT_EQ(verdicts.release, nullptr);
  EXPECT_EQ(molgauge_judge(session_, nullptr, &molecules, &verdicts, nullptr), MOLGAUGE_WRONG_USAGE);
  EXPECT_THAT(molgauge_last_error(), HasSubstr("was released"));
  molecules = stream_of({"CCO"});
  EXPECT_EQ(molgauge_judge(session_, request({{"train", folder_ / "none"}}).c_str(), &molecules, &verdicts,
                           nullptr),
            MOLGAUGE_INPUT_REFUSED);
  molecules = stream_of({"CCO"});
  EXPECT_EQ(molgauge_score(session_, request({{"molecules", "m.csv"}, {"run", "r"}}).c_str(), &molecules,
                           &verdicts, nullptr),
            MOLGAUGE_WRONG_USAGE);
  EXPECT_THAT(molgauge_last_error(), HasSubstr("Remove `molecules`"));
  ArrowArrayStream training = stream_of(ethers());
  EXPECT_EQ(molgauge_fit_domain(session_, request().c_str(), &training, nullptr, nullptr),
            MOLGAUGE_WRONG_USAGE);
  EXPECT_THAT(molgauge_last_error(), HasSubstr("`save`"));
  const std::string with_nul("C\0C", 3);
  molecules = stream_of({with_nul});
  EXPECT_EQ(molgauge_score(session_, request({{"run", "r"}}).c_str(), &molecules, &verdicts, nullptr),
            MOLGAUGE_WRONG_USAGE);
  EXPECT_THAT(molgauge_last_error(), HasSubstr("NUL character"));
}

TEST_F(Tables, LabelsMayBeTexts) {
  std::vector<std::string> training, labels;
  for (const char* const ring : {"c1ccccc1", "C1CCCCC1", "c1ccncc1", "C1CCCC1", "c1ccsc1", "C1CCNCC1"}) {
    for (std::size_t chain = 1; chain <= 30; ++chain) {
      training.push_back(ring + std::string(chain, 'C') + "OC");
    }
  }
  for (std::size_t i = 0; i < training.size(); ++i) {
    labels.emplace_back(i == 0 ? "NA" : i < 80 ? "active" : "Inactive");
  }
  const auto fit = [&](const std::string& column) {
    ArrowArrayStream molecules = stream_of(training, {}, labels);
    const std::string options =
        request({{"encoder", "ecfp"}, {"save", folder_ / "labelled"}, {"label_column", column}});
    char* report = nullptr;
    const molgauge_status status =
        molgauge_fit_domain(session_, options.c_str(), &molecules, nullptr, &report);
    const std::string text = status == MOLGAUGE_DONE ? report : molgauge_last_error();
    molgauge_free(report);
    return text;
  };
  EXPECT_THAT(fit("label"), HasSubstr("label: a simple classifier has an AUROC of"));
  EXPECT_THAT(fit("smiles"), HasSubstr("the text column 'label' has no effect"));
  labels[7] = "unclear";
  EXPECT_THAT(fit("label"), HasSubstr("<training molecules>:8: 'unclear' in the column label is neither"));
}

TEST_F(Tables, AMissingColumnOfMeasuredValuesIsNamed) {
  std::vector<double> values;
  const std::vector<std::string> training = ethers();
  for (std::size_t i = 0; i < training.size(); ++i) {
    values.push_back(static_cast<double>(i % 2));
  }
  ArrowArrayStream molecules = stream_of(training), calibration = stream_of(training, values);
  json options = {{"encoder", "ecfp"},
                  {"save", folder_ / "saved"},
                  {"label_column", "measured"},
                  {"prediction_column", "value"},
                  {"out_of_fold", true}};
  EXPECT_EQ(molgauge_fit_domain(session_, request(options).c_str(), &molecules, &calibration, nullptr),
            MOLGAUGE_INPUT_REFUSED);
  EXPECT_THAT(molgauge_last_error(), HasSubstr("<calibration molecules>: no column \"measured\""));
  EXPECT_EQ(calibration.release, nullptr);
}

}  // namespace
}  // namespace molgauge
