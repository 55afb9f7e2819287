#pragma once

#include <string>
#include <vector>

#include "options/value.h"

namespace headroom::experiment {

/// A kind of methods, as the specification of a matrix knows it. What runs its cells is
/// session/matrix/cell_kind.h.
struct MethodKind {
  std::string name;     ///< "energy-head", "baselines"
  std::string section;  ///< of the options that all its methods share: "training", "classifier"
  /// What a method of this kind is ("an energy head"), for the message that the section has no effect without
  /// one. Empty: the section may stand without one, its options may not.
  std::string noun;

  /// Whether a [[method]] with this `kind` is one of them.
  bool (*has)(const std::string& kind) = nullptr;
  /// Throws UsageError when methods with this `kind`, or the section for all of them (then it is the name),
  /// have no such option, or the value is of another kind.
  void (*check_option)(const std::string& kind, const std::string& option,
                       const options::Value& value) = nullptr;
  /// Whether a method with this `kind` looks at an option of the section. Null: every one at all of them.
  bool (*looks_at)(const std::string& option, const std::string& kind) = nullptr;
  /// The loss that is trained with; null where cells are not compared by their losses.
  std::string (*loss)(const options::Values& options) = nullptr;
};

/// All there are.
std::vector<MethodKind> method_kinds();
/// That of a [[method]] with this `kind`. What no other kind has is a baseline, or nothing; the baselines say
/// so.
MethodKind method_kind(const std::string& kind);

/// Adds one, for all specifications that are read after it. Throws UsageError when its name or its section is
/// taken.
void add_method_kind(MethodKind kind);

}  // namespace headroom::experiment
