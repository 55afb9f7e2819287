// Reads pockets from AMBER topologies and files with their coordinates.

#include <filesystem>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/io/bytes/file_versions.h"
#include "pockets/amber/coordinates.h"
#include "pockets/amber/prmtop.h"
#include "pockets/preparation/pocket_source.h"

namespace molgauge::pocket {
namespace {

/// Files below this size are not topologies. A failed run of AmberTools leaves such a file.
constexpr std::uintmax_t kSmallestTopology = 100;

class AmberPockets : public PocketSource {
 public:
  AmberPockets(std::vector<std::string> topologies, const PocketBuildRequest& request)
      : topologies_(std::move(topologies)), options_{request.distance_cutoff, request.reference_compatible} {}

  GraphSetOrigin origin() const override {
    return {.source = "amber",
            .force_field = "of the topologies",
            .cutoff = options_.cutoff,
            .pocket_cutoff = 0,
            .reference_phases = options_.reference_phases};
  }
  std::size_t items() const override { return topologies_.size(); }

  /// Returns the file name without the extension and without "_rna", which the Python project appends to the
  /// name of the pocket (NAME_rna.prmtop).
  std::string name_of(std::size_t item) const override {
    std::string name = std::filesystem::path(topologies_[item]).stem().string();
    constexpr std::string_view kPart = "_rna";
    if (name.size() > kPart.size() && name.ends_with(kPart)) {
      name.resize(name.size() - kPart.size());
    }
    return name;
  }

  std::vector<PlannedPocket> plan(std::size_t item) const override {
    const std::string& topology = topologies_[item];
    if (std::filesystem::file_size(topology) < kSmallestTopology) {
      throw InputError(fmt::format("{}: has {} bytes, too few for a topology", topology,
                                   std::filesystem::file_size(topology)));
    }
    const std::string coordinates = find_coordinates(topology);
    const io::FileVersions files({topology, coordinates});
    return {{name_of(item), files.checksum(), [this, topology, coordinates, files] {
               return files.read([&] { return make(topology, coordinates); });
             }}};
  }

 private:
  Pockets make(const std::string& topology, const std::string& coordinates) const {
    const Topology read = read_prmtop(topology);
    const std::vector<Position> positions = read_coordinates(coordinates);
    if (positions.size() != read.atoms.size()) {
      throw InputError(fmt::format("{}: has coordinates of {} atoms, but {} has {}", coordinates,
                                   positions.size(), topology, read.atoms.size()));
    }
    try {
      return make_graph(read, positions, options_);
    } catch (const InputError& failure) {
      throw InputError(fmt::format("{}: {}", coordinates, failure.what()));
    }
  }

  std::vector<std::string> topologies_;
  GraphOptions options_;
};

}  // namespace

std::unique_ptr<PocketSource> open_amber_pockets(const std::vector<std::string>& topologies,
                                                 const PocketBuildRequest& request) {
  return std::make_unique<AmberPockets>(topologies, request);
}

}  // namespace molgauge::pocket
