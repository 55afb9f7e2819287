#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom {

/// "3 molecules", "1 molecule", "0 batches": a number and what it counts, `one` being the word for one of
/// them, whose plural takes an s or es.
std::string counted(std::size_t count, std::string_view one);

}  // namespace headroom
