#include "clusters.h"

#include <limits>

#include <ATen/CPUGeneratorImpl.h>

namespace molgauge::test {

using baselines::LabelKind;

Clusters clusters(std::int64_t rows, int classes, std::uint64_t seed) {
  constexpr std::int64_t kWidth = 12;
  at::Generator generator = at::detail::createCPUGenerator(seed);
  Clusters made{at::randn({rows, kWidth}, generator), {}};
  for (std::int64_t i = 0; i < rows; ++i) {
    made.classes.push_back(static_cast<int>(i % classes));
    made.features[i][made.classes.back()] += 4;
  }
  return made;
}

baselines::Labels labels_of(const Clusters& clusters, LabelKind kind, int classes) {
  if (kind == LabelKind::classes) {
    return baselines::class_labels(clusters.classes, classes);
  }
  const auto rows = static_cast<std::int64_t>(clusters.classes.size());
  const std::int64_t columns = kind == LabelKind::tasks ? 2 : 1;
  at::Tensor values = at::empty({rows, columns}, at::kFloat);
  for (std::int64_t i = 0; i < rows; ++i) {
    const int own = clusters.classes[static_cast<std::size_t>(i)];
    for (std::int64_t task = 0; task < columns; ++task) {
      values[i][task] = kind == LabelKind::continuous ? own + 0.5 : static_cast<double>(own == task);
    }
    if (kind == LabelKind::tasks && i % 5 == 0) {
      values[i][i % 2] = std::numeric_limits<float>::quiet_NaN();
    }
  }
  return kind == LabelKind::tasks ? baselines::task_labels(values) : baselines::continuous_labels(values);
}

baselines::ClassifierData classifier_data(LabelKind kind, int classes) {
  const Clusters train = clusters(200, classes, 1), validation = clusters(60, classes, 2);
  return {{train.features, labels_of(train, kind, classes)},
          {validation.features, labels_of(validation, kind, classes)}};
}

baselines::ClassifierOptions small_options() {
  baselines::ClassifierOptions options;
  options.hidden = 16;
  options.epochs = 15;
  options.dropout = 0.2;
  return options;
}

}  // namespace molgauge::test
