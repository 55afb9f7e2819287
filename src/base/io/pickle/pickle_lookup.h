#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "base/io/pickle/pickle_value.h"

namespace molgauge::io {

using PickleEntries = std::vector<std::pair<PickleRef, PickleRef>>;

/// Returns the entries of a dict, or of an object that is filled like a dict (OrderedDict). Returns null for
/// other values.
const PickleEntries* dict_entries(PickleRef value);

/// Returns the value for this key, or null if there is no such key. If the key occurs several times, the last
/// value counts, as in Python.
PickleRef find_entry(const PickleEntries& entries, std::string_view key);

}  // namespace molgauge::io
