#pragma once

#include <string>
#include <vector>

#include "options/value.h"

namespace headroom::experiment {

/// A kind of methods in the specification of a matrix. Its cells are run by
/// verbs/experiment/cell_kind.h.
struct MethodKind {
  std::string name;     ///< "energy-head", "baselines"
  std::string section;  ///< section of the options that all its methods share: "training", "classifier"
  /// The noun for a method of this kind ("an energy head"), for the message that the section has no effect
  /// without one. Empty: the section may exist without one, but its options may not.
  std::string noun;

  /// Whether a [[method]] with this `kind` is of this kind of methods.
  bool (*has)(const std::string& kind) = nullptr;
  /// Throws UsageError when methods with this `kind`, or, if it is the name of this kind, all its methods,
  /// lack such an option, or the value is of another type.
  void (*check_option)(const std::string& kind, const std::string& option,
                       const options::Value& value) = nullptr;
  /// Whether a method with this `kind` uses an option of the section. Null: all methods use all options.
  bool (*looks_at)(const std::string& option, const std::string& kind) = nullptr;
};

/// All existing kinds.
std::vector<MethodKind> method_kinds();
/// The kind of a [[method]] with this `kind`. One that no other kind has is taken for a baseline; the
/// baselines refuse unknown names.
MethodKind method_kind(const std::string& kind);

/// Adds a kind, for all specifications that are read afterwards. Throws UsageError when its name or its
/// section is taken.
void add_method_kind(MethodKind kind);

}  // namespace headroom::experiment
