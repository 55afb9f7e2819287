#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace headroom {

/// "3 molecules", "1 molecule", "0 batches": a number and its noun. `one` is the singular,
/// whose plural takes an s or es.
std::string counted(std::size_t count, std::string_view one);

}  // namespace headroom
