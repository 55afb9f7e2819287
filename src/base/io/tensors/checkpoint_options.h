#pragma once

#include <filesystem>

#include <nlohmann/json.hpp>

namespace molgauge::io {

/// Reads the training options of a checkpoint from its entry "args", an argparse.Namespace or a dict, without
/// executing anything in it. Returns a JSON object of the options that are texts, numbers, booleans, null or
/// lists of these, and skips other options. The object is empty if the checkpoint has no such entry. Throws
/// InputError as read_checkpoint() does.
nlohmann::json read_checkpoint_options(const std::filesystem::path& path);

}  // namespace molgauge::io
