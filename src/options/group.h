#pragma once

#include <string_view>

namespace headroom::options {

/// The purpose of an option. Help texts and the reference list the options of a verb by group, in this order.
enum class Group {
  none,  ///< group of arguments without dashes
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

}  // namespace headroom::options
