#pragma once

#include <string_view>

namespace molgauge::options {

/// The purpose of an option. Help texts and the reference list the options of a verb group by group, in the
/// order of this enum.
enum class Group {
  none,  ///< positional arguments
  input,
  output,
  data,
  predictions,
  domain,
  encoder,
  conformers,
  model,
  training,
  fine_tuning,
  detector,
  graphs,
  search,
  allocator,
  server,
  limits,
  memory,
  logging,
};

/// The heading of a group in help texts, for example "Memory and speed". The heading of `none` is "Options".
std::string_view title(Group group);

}  // namespace molgauge::options
