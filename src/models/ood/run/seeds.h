#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::ood {

/// A run over several seeds (`headroom train --seeds`) is a folder with a run folder for each seed.
/// seeds.json lists the seeds, and is written after all runs have finished.
std::filesystem::path seed_folder(const std::filesystem::path& run, std::uint64_t seed);

/// Writes seeds.json atomically.
void write_seeds(const std::filesystem::path& run, const std::vector<std::uint64_t>& seeds);
/// Removes seeds.json, if it exists.
void remove_seeds(const std::filesystem::path& run);

/// Returns the seeds of such a folder in ascending order. Empty without seeds.json. Throws InputError with
/// the file if it is damaged.
std::vector<std::uint64_t> find_seeds(const std::filesystem::path& run);

/// Identity of the models of all seeds. identity_of_best_model() is the identity of one model.
std::string identity_of_seeds(const std::filesystem::path& run, const std::vector<std::uint64_t>& seeds);

}  // namespace headroom::ood
