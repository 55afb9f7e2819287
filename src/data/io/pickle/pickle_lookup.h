#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "data/io/pickle/pickle_value.h"

namespace headroom::io {

using PickleEntries = std::vector<std::pair<PickleRef, PickleRef>>;

/// The entries of a dict or of something that is filled like one (OrderedDict), else null.
const PickleEntries* dict_entries(PickleRef value);

/// The value of the last key that is this text, as in Python, else null.
PickleRef find_entry(const PickleEntries& entries, std::string_view key);

}  // namespace headroom::io
