#pragma once

namespace headroom::store {

/// The purpose of opening a store. `read` never creates or changes anything and needs an existing store;
/// `write` makes the folder and the store if they are missing.
enum class Access { read, write };

}  // namespace headroom::store
