#pragma once

namespace headroom::store {

/// What a store is opened for. `read` never creates or changes anything and needs a store that exists;
/// `write` makes the folder and the store where there is none.
enum class Access { read, write };

}  // namespace headroom::store
