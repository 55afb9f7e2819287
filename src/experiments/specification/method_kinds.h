#pragma once

#include <string>
#include <vector>

#include "options/value.h"

namespace headroom::experiment {

/// A kind of methods in the specification of a matrix. verbs/experiment/cell_kind.h runs the cells of each
/// kind.
struct MethodKind {
  std::string name;     ///< "energy-head", "baselines"
  std::string section;  ///< section with the options of all its methods, for example "training"
  /// The noun for a method of this kind, for example "an energy head". If the section exists, but no method
  /// is of this kind, the specification is refused with a message that contains the noun. If the noun is
  /// empty, the section may exist without such a method, but it must not set method options.
  std::string noun;

  /// Whether a [[method]] with this `kind` belongs to this kind of methods.
  bool (*has)(const std::string& kind) = nullptr;
  /// Throws UsageError if methods with this `kind` do not have the option, or if the value has another type.
  /// If `kind` is `name`, the option applies to all methods of this kind.
  void (*check_option)(const std::string& kind, const std::string& option,
                       const options::Value& value) = nullptr;
  /// Whether a method with this `kind` uses an option of the section. If null, all methods use all options.
  bool (*looks_at)(const std::string& option, const std::string& kind) = nullptr;
};

/// All existing kinds.
std::vector<MethodKind> method_kinds();
/// Returns the kind of a [[method]] with this `kind`. An unknown `kind` belongs to the baselines, which
/// refuse unknown names.
MethodKind method_kind(const std::string& kind);

/// Adds a kind for all specifications that are read later. Throws UsageError if a kind with this name or
/// section already exists.
void add_method_kind(MethodKind kind);

}  // namespace headroom::experiment
