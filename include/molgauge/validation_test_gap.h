#pragma once

namespace molgauge {

/// The AUROC of an energy head on its validation molecules and on test molecules. The validation OOD
/// molecules come from the same domains as the OOD molecules of the training. The test OOD molecules come
/// from other domains.
struct ValidationTestGap {
  double validation_auroc = 0, test_auroc = 0;
  /// 95 % confidence interval of the validation AUROC minus the test AUROC, from the standard errors of
  /// DeLong (1988). NaN if unknown.
  double difference_low = 0, difference_high = 0;
  /// Whether the validation AUROC exceeds the test AUROC by more than 0.1, and the interval excludes 0.
  bool is_large = false;
};

}  // namespace molgauge
