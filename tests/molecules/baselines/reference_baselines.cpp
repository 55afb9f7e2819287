#include "reference_baselines.h"

#include "base/io/tensors/npz.h"
#include "base/numerics/torch/tensor_files.h"
#include "support/fixtures.h"

namespace molgauge::test {

using baselines::LabelKind;

ReferenceBaselines::ReferenceBaselines(const std::string& variant)
    : arrays_(io::read_npz(reference_data("ood/baselines.npz"))), variant_(variant) {
  io::TensorMap weights;
  const std::string prefix = variant + ".w.";
  for (const auto& [name, array] : arrays_) {
    if (name.starts_with(prefix)) {
      weights[name.substr(prefix.size())] = array;
    }
  }
  model_.classifier =
      std::make_shared<baselines::Classifier>(baselines::Classifier::from_tensors(weights, "baselines.npz"));
  model_.kind = variant == "two_class" ? LabelKind::classes : LabelKind::tasks;
}

at::Tensor ReferenceBaselines::shared(const std::string& name) const {
  return torch::from_file(arrays_.at(name)).to(at::kFloat);
}

at::Tensor ReferenceBaselines::tensor(const std::string& name) const { return shared(variant_ + "." + name); }

std::vector<float> ReferenceBaselines::numbers(const std::string& name) const {
  return arrays_.at(variant_ + "." + name).to_float32();
}

at::Tensor ReferenceBaselines::test_features(const std::string& side) const {
  return shared("test_" + side + "_features_f16");
}

baselines::FitData ReferenceBaselines::fit_data() const {
  const at::Tensor all = shared("train_labels");
  const at::Tensor first = all.select(1, 0).contiguous();
  baselines::Labels labels;
  if (variant_ == "two_class") {
    labels = {LabelKind::classes, first.unsqueeze(1), 2};
  } else {
    labels = baselines::task_labels(variant_ == "binary1" ? first.unsqueeze(1) : all);
  }
  return {{shared("train_features_f16"), labels}, shared("cal_features_f16"), {}};
}

}  // namespace molgauge::test
