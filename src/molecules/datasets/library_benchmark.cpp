#include "molecules/datasets/library_benchmark.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/core/error.h"
#include "base/core/json/json_text.h"
#include "base/core/random/numpy_random.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/progress.h"
#include "base/core/text/counted.h"
#include "base/core/threads/worker_group.h"
#include "molecules/chem/identity.h"
#include "molecules/chem/perception.h"

namespace molgauge::datasets {
namespace {

constexpr std::size_t kMin = 10;
constexpr unsigned kRadius = 2, kBits = 2048;

struct Fingerprint {
  std::array<std::uint64_t, kBits / 64> words = {};
  unsigned bits = 0;
};

struct OneMolecule {
  std::string smiles, canonical, reason;  ///< `reason` is empty if the text is a molecule
  Fingerprint fingerprint;
};

Fingerprint fingerprint_of(const chem::MoleculeRecord& record) {
  const chem::Molecule molecule = chem::perceive(
      record, {.graph = false, .morgan = true, .morgan_radius = kRadius, .morgan_width = kBits});
  Fingerprint fingerprint;
  for (const auto& [index, count] : molecule.morgan) {
    fingerprint.words[index / 64] |= std::uint64_t{1} << (index % 64);
    ++fingerprint.bits;
  }
  return fingerprint;
}

OneMolecule read(const chem::MoleculeRecord& record) {
  OneMolecule molecule;
  try {
    molecule.canonical = chem::identify(record, /*with_scaffold=*/false).canonical_smiles;
    molecule.fingerprint = fingerprint_of(record);
    molecule.smiles = record.format == chem::RecordFormat::smiles ? record.text : molecule.canonical;
  } catch (const chem::InvalidMolecule& invalid) {
    molecule.reason = invalid.what();
  }
  return molecule;
}

double tanimoto(const Fingerprint& one, const Fingerprint& other) {
  unsigned both = 0;
  for (std::size_t i = 0; i < one.words.size(); ++i) {
    both += static_cast<unsigned>(std::popcount(one.words[i] & other.words[i]));
  }
  const unsigned either = one.bits + other.bits - both;
  return either == 0 ? 0 : static_cast<double>(both) / either;
}

/// Fingerprints in ascending order of their number of bits. If two fingerprints have a and b bits with
/// a <= b, their similarity is at most a / b.
class SimilarMolecules {
 public:
  SimilarMolecules(std::vector<Fingerprint> fingerprints, double limit)
      : fingerprints_(std::move(fingerprints)), limit_(limit) {
    std::ranges::stable_sort(fingerprints_, {}, &Fingerprint::bits);
  }

  bool has_near(const Fingerprint& wanted) const {
    const auto first =
        std::ranges::lower_bound(fingerprints_, std::floor(limit_ * wanted.bits), {}, &Fingerprint::bits);
    for (auto own = first; own != fingerprints_.end() && own->bits * limit_ <= wanted.bits; ++own) {
      if (tanimoto(*own, wanted) >= limit_) {
        return true;
      }
    }
    return false;
  }

 private:
  std::vector<Fingerprint> fingerprints_;
  double limit_;
};

/// A tenth of `count`, rounded, and at least one.
std::size_t tenth_of(std::size_t count) { return std::max<std::size_t>(1, (count + 5) / 10); }

/// Background molecules that were taken.
struct Background {
  std::vector<std::string> test, others;

  std::size_t size() const { return test.size() + others.size(); }
};

class BenchmarkBuilder {
 public:
  BenchmarkBuilder(const LibraryBenchmarkOptions& options)
      : options_(options), threads_(options.threads == 0 ? available_processors() : options.threads) {}

  std::vector<std::string> take_own(const std::vector<chem::MoleculeRecord>& records) {
    std::vector<std::size_t> all(records.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    Progress progress("read", "molecule", records.size(), options_.quiet);
    const auto molecules = read_all(records, all, progress);
    progress.finish();
    std::vector<std::string> taken;
    std::vector<Fingerprint> fingerprints;
    for (const OneMolecule& molecule : molecules) {
      if (!molecule.reason.empty()) {
        continue;
      }
      if (!own_.insert(molecule.canonical).second) {
        ++result_.own_repeated;
        continue;
      }
      taken.push_back(molecule.smiles);
      fingerprints.push_back(molecule.fingerprint);
    }
    similar_.emplace(std::move(fingerprints), options_.similarity);
    result_.own = taken.size();
    return taken;
  }

  /// Takes up to `wanted` molecules of the library in random order. The first tenth of the taken molecules is
  /// the test part, which may contain near duplicates of the user's molecules.
  Background take_background(const std::vector<chem::MoleculeRecord>& records, std::size_t wanted) {
    NumpyRandom random(options_.seed + 1);
    const std::vector<std::size_t> order = random.choose(records.size(), records.size());
    const std::size_t for_test = tenth_of(std::min(wanted, records.size()));
    std::unordered_set<std::string> seen;
    Background taken;
    Progress progress("read the background", "molecule", 0, options_.quiet);
    for (std::size_t first = 0; first < order.size() && taken.size() < wanted;) {
      const std::size_t count = std::min(order.size() - first, std::max<std::size_t>(wanted, kMin));
      const auto part = std::span(order).subspan(first, count);
      first += count;
      const auto molecules = read_all(records, part, progress);
      const std::vector<char> near = find_near(molecules);
      for (std::size_t i = 0; i < molecules.size() && taken.size() < wanted; ++i) {
        if (!is_new_background(molecules[i], seen)) {
          continue;
        }
        if (taken.test.size() < for_test) {
          result_.background_near_in_test += near[i] != 0 ? 1 : 0;
          taken.test.push_back(molecules[i].smiles);
        } else if (near[i] != 0) {
          ++result_.background_near;
        } else {
          taken.others.push_back(molecules[i].smiles);
        }
      }
    }
    progress.finish();
    result_.background = taken.size();
    return taken;
  }

  LibraryBenchmark finish(std::vector<std::string> own, Background background) {
    const std::size_t own_tenth = tenth_of(own.size()), tenth = tenth_of(background.size());
    share_out(std::move(own), options_.seed, 0, own_tenth, own_tenth);
    share_out(std::move(background.others), options_.seed + 2, 1, 0, tenth);
    result_.sides[5] = std::move(background.test);
    return std::move(result_);
  }

 private:
  std::vector<OneMolecule> read_all(const std::vector<chem::MoleculeRecord>& records,
                                    std::span<const std::size_t> which, Progress& progress) {
    std::vector<OneMolecule> molecules(which.size());
    parallel_for(which.size(), threads_, [&](std::size_t i) {
      throw_if_cancelled();
      molecules[i] = read(records[which[i]]);
      progress.advance(1);
    });
    for (std::size_t i = 0; i < which.size(); ++i) {
      if (!molecules[i].reason.empty()) {
        const chem::MoleculeRecord& record = records[which[i]];
        result_.failed.push_back({record.row, record.line, record.file, record.text, molecules[i].reason});
      }
    }
    return molecules;
  }

  std::vector<char> find_near(const std::vector<OneMolecule>& molecules) const {
    std::vector<char> near(molecules.size());
    parallel_for(molecules.size(), threads_, [&](std::size_t i) {
      throw_if_cancelled();
      near[i] = molecules[i].reason.empty() && similar_->has_near(molecules[i].fingerprint) ? 1 : 0;
    });
    return near;
  }

  bool is_new_background(const OneMolecule& molecule, std::unordered_set<std::string>& seen) {
    if (!molecule.reason.empty()) {
      return false;
    }
    if (own_.contains(molecule.canonical)) {
      ++result_.background_same;
      return false;
    }
    if (!seen.insert(molecule.canonical).second) {
      ++result_.background_repeated;
      return false;
    }
    return true;
  }

  /// Divides molecules, in random order, into the sides 4 + offset (test), 2 + offset (validation) and offset
  /// (training, the rest).
  void share_out(std::vector<std::string> molecules, std::uint64_t seed, std::size_t offset, std::size_t test,
                 std::size_t validation) {
    const std::vector<std::size_t> order = NumpyRandom(seed).choose(molecules.size(), molecules.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t side = i < test ? 4 : i < test + validation ? 2 : 0;
      result_.sides[side + offset].push_back(std::move(molecules[order[i]]));
    }
  }

  const LibraryBenchmarkOptions& options_;
  std::size_t threads_;
  std::unordered_set<std::string> own_;  ///< canonical SMILES
  std::optional<SimilarMolecules> similar_;
  LibraryBenchmark result_;
};

void require_enough(std::size_t count, const std::string& file, const char* what) {
  if (count < kMin) {
    throw InputError(fmt::format("{}: has {} {}, fewer than {}. Add some", file,
                                 counted(count, "distinct molecule"), what, kMin));
  }
}

}  // namespace

LibraryBenchmark make_own_benchmark(const std::vector<chem::MoleculeRecord>& own,
                                    const std::vector<chem::MoleculeRecord>& background,
                                    const LibraryBenchmarkOptions& options, const std::string& own_file,
                                    const std::string& background_file) {
  BenchmarkBuilder making(options);
  std::vector<std::string> own_molecules = making.take_own(own);
  require_enough(own_molecules.size(), own_file, "to train on");
  Background others = making.take_background(background, own_molecules.size());
  require_enough(others.others.empty() ? 0 : others.size(), background_file,
                 "that are not near duplicates of the training molecules");
  return making.finish(std::move(own_molecules), std::move(others));
}

std::string to_split_cache(const LibraryBenchmark& benchmark, const LibraryBenchmarkOptions& options,
                           const std::string& own_file, const std::string& background_file) {
  using nlohmann::ordered_json;
  constexpr std::array kNames = {"train_id", "train_ood", "val_id", "val_ood", "test_id", "test_ood"};
  ordered_json splits, sizes;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    splits[kNames[i]] = benchmark.sides[i];
    sizes[kNames[i]] = benchmark.sides[i].size();
  }
  const ordered_json content = {{"metadata",
                                 {{"made_by", "molgauge train --ood"},
                                  {"molecules_file", own_file},
                                  {"ood_file", background_file},
                                  {"ood_similarity", options.similarity},
                                  {"data_seed", options.seed},
                                  {"own_molecules", benchmark.own},
                                  {"own_repeated", benchmark.own_repeated},
                                  {"background_molecules", benchmark.background},
                                  {"background_repeated", benchmark.background_repeated},
                                  {"background_same", benchmark.background_same},
                                  {"background_near", benchmark.background_near},
                                  {"background_near_in_test", benchmark.background_near_in_test},
                                  {"unreadable", benchmark.failed.size()}}},
                                {"target_sizes", sizes},
                                {"splits", splits}};
  return json_text(content);
}

}  // namespace molgauge::datasets
