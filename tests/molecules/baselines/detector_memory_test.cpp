#include "molecules/baselines/detectors/detector_memory.h"

#include <memory>

#include <gtest/gtest.h>

#include "support/heap_peak.h"

namespace molgauge::baselines {
namespace {

/// The bound may exceed the memory by this factor, plus this many bytes. The bytes are negligible in a
/// budget. The factor of most methods is below 1.5. For mahalanobis with large batches of narrow rows, the
/// factor reaches 1.7. The bound is then the sum of the memory for fitting and for a batch, although only the
/// larger one is needed.
constexpr double kTooHigh = 1.75;
constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;

struct Sizes {
  std::int64_t molecules, width, hidden;
  std::size_t batch;
};

Labels two_classes(std::int64_t rows) {
  return {LabelKind::classes, at::arange(rows, at::kFloat).remainder_(2).unsqueeze(1), 2};
}

/// The heap memory for fitting to this many molecules and scoring them.
std::uint64_t taken(const std::string& method, const ClassifierShape& shape, const Sizes& sizes) {
  const at::Tensor features = at::randn({sizes.molecules, sizes.width});
  const FitData data{{features, two_classes(sizes.molecules)}, features, {sizes.batch, 1}};
  const TrainedClassifier model =
      objective_of(method)
          ? TrainedClassifier{std::make_shared<Classifier>(shape, /*seed=*/0), LabelKind::classes}
          : TrainedClassifier{nullptr, LabelKind::continuous};
  const test::HeapPeak heap;
  const auto detector = make_detector(method, model, {});
  detector->fit(data);
  detector->score(features, {sizes.batch, 1});
  return heap.bytes();
}

TEST(DetectorMemory, IsBoundedWithoutBeingOverestimated) {
  if (!test::HeapPeak::can_be_measured()) {
    GTEST_SKIP() << "another heap replaces the heap of the C library";
  }
  for (const Sizes& sizes : {Sizes{3000, 512, 256, 256}, Sizes{9000, 64, 128, 1000}}) {
    const ClassifierShape shape{.inputs = sizes.width, .hidden = sizes.hidden, .layers = 2, .outputs = 2};
    for (const std::string& method : method_names()) {
      const auto bound =
          detector_bytes(method, {}, shape, static_cast<std::size_t>(sizes.molecules), {sizes.batch, 1});
      const std::uint64_t peak = taken(method, shape, sizes);
      EXPECT_LE(peak, bound + kSmall) << method << " of " << sizes.molecules;
      EXPECT_LE(static_cast<double>(bound), kTooHigh * static_cast<double>(peak) + kSmall)
          << method << " of " << sizes.molecules << ": too high, " << peak << " are taken";
    }
  }
}

}  // namespace
}  // namespace molgauge::baselines
