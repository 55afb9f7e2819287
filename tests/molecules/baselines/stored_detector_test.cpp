#include "molecules/baselines/run/stored_detector.h"

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/folder_checksums.h"
#include "base/io/tensors/safetensors.h"
#include "molecules/baselines/clusters.h"
#include "molecules/baselines/run/baseline_run.h"
#include "support/fixtures.h"

namespace molgauge::baselines {
namespace {

using testing::HasSubstr;

/// Does not use replace_file(), because it would record a checksum.
void write_text(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

Labels zeros_and_ones(std::int64_t rows) {
  return task_labels(at::arange(rows, at::kFloat).remainder(2).unsqueeze(1));
}

class StoredDetectorFile : public testing::TestWithParam<LabelKind> {
 protected:
  StoredDetectorFile() {
    request_.run = (folder_ / "run").string();
    options_.knn.neighbours = 5;
    options_.lof.neighbours = 7;
  }
  /// Fits the method, writes it into a run folder, and returns its scores.
  std::vector<float> write(const std::string& method, LabelKind kind) {
    ClassifierData data = test::classifier_data(kind, 3);
    const BaselineRun run(request_, {"encoder", "data"});
    TrainedClassifier model{nullptr, LabelKind::continuous};
    if (const auto objective = objective_of(method)) {
      ClassifierOptions classifier = test::small_options();
      classifier.objective = *objective;
      auto training = train_classifier(data, classifier);
      run.store(*objective, training.best, {});
      model = {std::make_shared<Classifier>(std::move(training.best)), kind};
    }
    if (learns_ood(method)) {
      data.train.labels = zeros_and_ones(data.train.features.size(0));
      data.validation.labels = zeros_and_ones(data.validation.features.size(0));
    }
    const auto detector = make_detector(method, model, options_);
    detector->fit({data.train, data.validation.features, {}, data.validation});
    run.store(method, *detector, kind, detector->score(data.validation.features));
    return detector->score(new_molecules_);
  }
  std::string refusal(const std::string& method) const {
    try {
      read_detector(request_.run, method, options_);
    } catch (const InputError& problem) {
      return problem.what();
    }
    return "";
  }

  test::TemporaryFolder folder_;
  BaselineRequest request_;
  MethodOptions options_;
  const at::Tensor new_molecules_ = test::clusters(70, 3, 99).features;
};

TEST_P(StoredDetectorFile, ScoresToTheSameBytes) {
  for (const std::string& method : method_names()) {
    if (GetParam() == LabelKind::continuous && objective_of(method) == ObjectiveKind::auc_margin) {
      continue;  // this loss needs positive labels
    }
    SCOPED_TRACE(method);
    const std::vector<float> scores = write(method, GetParam());
    const StoredDetector stored = read_detector(request_.run, method, options_);
    EXPECT_EQ(stored.detector->score(new_molecules_), scores);
    EXPECT_EQ(stored.feature_width, new_molecules_.size(1));
    EXPECT_EQ(stored.held_out,
              stored.detector->score(test::classifier_data(GetParam(), 3).validation.features));
  }
}

INSTANTIATE_TEST_SUITE_P(Labels, StoredDetectorFile,
                         testing::Values(LabelKind::classes, LabelKind::tasks, LabelKind::continuous));

TEST_F(StoredDetectorFile, SaysWhatIsMissingOrDamaged) {
  write("lof", LabelKind::classes);
  EXPECT_EQ(refusal("lof"), "");
  EXPECT_THAT(refusal("knn"), testing::AllOf(HasSubstr("knn_detector.safetensors"), HasSubstr("--restart")));
  const auto path = detector_file(request_.run, "lof");
  const std::string whole = read_file(path);
  std::string bytes = whole;
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
  write_text(path, bytes);
  EXPECT_THAT(refusal("lof"), testing::AllOf(HasSubstr("lof_detector.safetensors"), HasSubstr("--restart")));
  write_text(path, whole);
  forget_checksums(request_.run);
  for (const char* const tensor : {"points", "reach", "mean", "held_out_id_scores"}) {
    io::SafetensorsFile file = io::read_safetensors(path);
    file.tensors.erase(tensor);
    io::write_safetensors(path, file.tensors, file.metadata);
    EXPECT_THAT(refusal("lof"), HasSubstr(tensor));
    write_text(path, whole);
  }
  io::SafetensorsFile file = io::read_safetensors(path);
  file.tensors["reach"] = io::TensorData::from_float32({1}, std::vector<float>{1}.data());
  io::write_safetensors(path, file.tensors, file.metadata);
  EXPECT_THAT(refusal("lof"), HasSubstr("training molecules"));
  write_text(path, whole);
  std::filesystem::remove(folder_ / "run/classifier.safetensors");
  EXPECT_THAT(refusal("lof"), HasSubstr("classifier"));
}

/// The folder of a method without a classifier contains no classifier.
TEST_F(StoredDetectorFile, OfLogisticRegressionScoresToTheSameBytes) {
  const std::vector<float> scores = write("logistic_regression", LabelKind::classes);
  const StoredDetector stored = read_detector(request_.run, "logistic_regression", options_);
  EXPECT_EQ(stored.detector->score(new_molecules_), scores);
  EXPECT_EQ(stored.feature_width, new_molecules_.size(1));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "run/classifier.safetensors"));
  const auto path = detector_file(request_.run, "logistic_regression");
  io::SafetensorsFile file = io::read_safetensors(path);
  file.tensors.erase("weights");
  io::write_safetensors(path, file.tensors, file.metadata);
  EXPECT_THAT(refusal("logistic_regression"), HasSubstr("width of its features"));
}

TEST_F(StoredDetectorFile, IsRemovedWithAnEarlierRun) {
  write("msp", LabelKind::classes);
  request_.resume = false;
  const BaselineRun anew(request_, {"encoder", "data"});
  EXPECT_FALSE(std::filesystem::exists(detector_file(request_.run, "msp")));
}

}  // namespace
}  // namespace molgauge::baselines
