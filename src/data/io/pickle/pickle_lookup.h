#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "data/io/pickle/pickle_value.h"

namespace headroom::io {

using PickleEntries = std::vector<std::pair<PickleRef, PickleRef>>;

/// The entries of a dict, or of an object that is filled like a dict (OrderedDict). Null for other values.
const PickleEntries* dict_entries(PickleRef value);

/// The value for this key. If the key occurs several times, the last value counts, as in Python. Null if
/// there is no such key.
PickleRef find_entry(const PickleEntries& entries, std::string_view key);

}  // namespace headroom::io
