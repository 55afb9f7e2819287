#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace molgauge::ood {

/// Returns the run folder of one seed. A run over several seeds (`molgauge train --seeds`) is a folder that
/// contains a run folder for each seed. seeds.json lists the seeds. It is written after all runs have
/// finished.
std::filesystem::path seed_folder(const std::filesystem::path& run, std::uint64_t seed);

/// Writes seeds.json atomically.
void write_seeds(const std::filesystem::path& run, const std::vector<std::uint64_t>& seeds);
/// Removes seeds.json, if it exists.
void remove_seeds(const std::filesystem::path& run);

/// Returns the seeds in seeds.json in ascending order. Returns an empty list if there is no seeds.json.
/// Throws InputError with the file if it is damaged.
std::vector<std::uint64_t> find_seeds(const std::filesystem::path& run);

/// Returns an identity for the models of all seeds together. identity_of_best_model() identifies one model.
std::string identity_of_seeds(const std::filesystem::path& run, const std::vector<std::uint64_t>& seeds);

}  // namespace molgauge::ood
