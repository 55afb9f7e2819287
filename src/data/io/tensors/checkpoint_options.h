#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

namespace headroom::io {

/// The options a checkpoint was trained with: its entry "args", an argparse.Namespace or a dict, read without
/// making either. A JSON object of those that are text, numbers, booleans, null or lists of these; others are
/// passed over. Empty when the checkpoint has no such entry. Throws InputError as read_checkpoint() does.
nlohmann::json read_checkpoint_options(const std::filesystem::path& path);

}  // namespace headroom::io
