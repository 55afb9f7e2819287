#pragma once

#include <string>
#include <vector>

#include "base/options/value.h"

namespace molgauge::experiment {

/// A kind of methods in the specification of a matrix. molecules/verbs/experiment/cell_kind.h runs the cells
/// of each kind.
struct MethodKind {
  std::string name;     ///< "energy-head", "baselines"
  std::string section;  ///< section with the options of all its methods, for example "training"
  /// The noun for a method of this kind, for example "an energy head". If the section exists but no method is
  /// of this kind, the specification is refused with a message that contains the noun. If the noun is empty,
  /// the section may exist without such a method. It must then not set method options.
  std::string noun;

  /// Whether this MethodKind contains the methods whose key `kind` in [[method]] has this value.
  bool (*has)(const std::string& kind) = nullptr;
  /// Throws UsageError if methods with this value of the key `kind` do not have the option, or if `value` has
  /// the wrong type. If `kind` equals `name`, the option applies to all methods of this MethodKind.
  void (*check_option)(const std::string& kind, const std::string& option,
                       const options::Value& value) = nullptr;
  /// Whether methods with this value of the key `kind` use an option of the section. If `looks_at` is null,
  /// all methods use all options.
  bool (*looks_at)(const std::string& option, const std::string& kind) = nullptr;
};

/// All kinds. Baselines come last, because they accept all names that are not of another kind.
const std::vector<MethodKind>& method_kinds();
/// Returns the MethodKind for a value of the key `kind` in [[method]]. Returns the kind of the baselines for
/// an unknown value, because baselines refuse unknown names.
const MethodKind& method_kind(const std::string& kind);

}  // namespace molgauge::experiment
