#pragma once

namespace molgauge::store {

/// The purpose of opening a store. `read` needs an existing store and never changes it. `write` creates the
/// folder and the store if they are missing.
enum class Access { read, write };

}  // namespace molgauge::store
