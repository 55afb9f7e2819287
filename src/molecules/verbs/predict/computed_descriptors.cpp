#include "molecules/verbs/predict/computed_descriptors.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/core/error.h"
#include "base/core/files/watched_inputs.h"
#include "base/core/session/cancellation.h"
#include "base/core/threads/worker_group.h"
#include "base/runtime/budget_scope.h"
#include "molecules/chem/perception.h"
#include "molecules/chem/rdkit_2d/descriptors.h"
#include "molecules/chem/standardize.h"
#include "molecules/encoding/session/standardized_source.h"

namespace molgauge::verbs {
namespace {

using chem::rdkit_2d::Set;

constexpr const char* kRdkit2d = "rdkit_2d";
constexpr const char* kRdkit2dOfVersion1 = "v1_rdkit_2d";

Set require_rdkit_2d(const std::string& name, std::size_t wanted) {
  const std::optional<Set> set = rdkit_2d_of(wanted);
  if (set && (name == kRdkit2d || *set == Set::descriptastorus)) {
    return *set;
  }
  std::vector<std::size_t> known;
  for (const Set of_rdkit : chem::rdkit_2d::rdkit_sets()) {
    known.push_back(chem::rdkit_2d::names(of_rdkit).size());
  }
  throw UsageError(fmt::format(
      "--descriptor-columns {}: the model takes {} descriptors, but {} has {} (chemprop 1 and v1_rdkit_2d) "
      "or "
      "{} (rdkit_2d of chemprop 2, by the version of RDKit). Name the columns with the descriptors",
      name, wanted, kRdkit2d, chem::rdkit_2d::names(Set::descriptastorus).size(), fmt::join(known, ", ")));
}

/// Computes the descriptors of records, block by block.
class DescriptorCalculator {
 public:
  DescriptorCalculator(pipeline::MoleculeSource source, const PredictRequest& request, Set set)
      : source_(std::move(source)),
        shown_(request.molecules),
        threads_(runtime::threads_of(request.compute)),
        set_(set) {}

  std::vector<double> next(const std::vector<bool>& failed) {
    records_.clear();
    for (std::size_t i = 0; i < failed.size(); ++i) {
      auto record = source_();
      if (!record) {
        refuse_changed(shown_, "the number of records");
      }
      records_.push_back(std::move(*record));
    }
    const std::size_t width = chem::rdkit_2d::names(set_).size();
    std::vector<double> numbers(failed.size() * width);
    std::vector<std::string> reasons(failed.size());
    parallel_for(failed.size(), threads_, [&](std::size_t i) {
      throw_if_cancelled();
      if (failed[i]) {
        return;
      }
      try {
        const std::vector<double> own = chem::rdkit_2d::descriptors_of(records_[i], set_);
        std::copy(own.begin(), own.end(), numbers.begin() + static_cast<std::ptrdiff_t>(i * width));
      } catch (const chem::InvalidMolecule& invalid) {
        reasons[i] = invalid.what();
      }
    });
    for (std::size_t i = 0; i < reasons.size(); ++i) {
      if (!reasons[i].empty()) {
        throw InputError(
            fmt::format("{}:{}: RDKit cannot compute the rdkit_2d descriptors of the molecule: {}. Remove it",
                        shown_, records_[i].line, reasons[i]));
      }
    }
    return numbers;
  }

  /// NaN if the parent is not a molecule. It then has no prediction.
  std::vector<double> of_parent(std::size_t i) const {
    try {
      return chem::rdkit_2d::descriptors_of(chem::standardized_record(records_[i], Standardize::parent),
                                            set_);
    } catch (const chem::InvalidMolecule&) {
      return std::vector<double>(chem::rdkit_2d::names(set_).size(), std::nan(""));
    }
  }

  void end() {
    if (source_()) {
      refuse_changed(shown_, "the number of records");
    }
  }

 private:
  pipeline::MoleculeSource source_;
  std::string shown_;
  std::size_t threads_;
  Set set_;
  std::vector<chem::MoleculeRecord> records_;
};

}  // namespace

std::optional<Set> rdkit_2d_of(std::size_t descriptors) {
  std::vector<Set> sets = chem::rdkit_2d::rdkit_sets();
  sets.push_back(Set::descriptastorus);
  const auto found = std::find_if(sets.begin(), sets.end(),
                                  [&](Set set) { return chem::rdkit_2d::names(set).size() == descriptors; });
  return found == sets.end() ? std::nullopt : std::optional(*found);
}

DescriptorChoice choose_descriptors(const std::vector<std::string>& given,
                                    const encoders::chemprop::ModelSet& set) {
  const std::size_t wanted = set.descriptors();
  // A model with one descriptor can take it from a column with this name.
  if (wanted > 1 && given.size() == 1 && (given[0] == kRdkit2d || given[0] == kRdkit2dOfVersion1)) {
    return {{}, require_rdkit_2d(given[0], wanted)};
  }
  const std::string generator = wanted > 0 ? set.models.front().descriptors.generator : "";
  if (given.empty() && generator == kRdkit2d) {
    return {{}, require_rdkit_2d(kRdkit2d, wanted)};
  }
  if (given.empty() && !generator.empty()) {
    throw UsageError(fmt::format(
        "the model takes the descriptors {}, which Molgauge does not compute. Compute them in Python with "
        "RDKit2DNormalized of descriptastorus, add them to the molecules as {} columns, and name the columns "
        "with --descriptor-columns. Or predict with chemprop",
        generator, wanted));
  }
  return {descriptor_names(given, set), std::nullopt};
}

DescriptorSource computed_descriptors(pipeline::MoleculeSource molecules, const PredictRequest& request,
                                      Set set) {
  if (request.standardize != Standardize::none) {
    molecules = session::standardized_source(std::move(molecules), request.standardize,
                                             runtime::threads_of(request.compute));
  }
  const auto calculator = std::make_shared<DescriptorCalculator>(std::move(molecules), request, set);
  return {[calculator](const std::vector<bool>& failed) { return calculator->next(failed); },
          [calculator] { calculator->end(); },
          [calculator](std::size_t i) { return calculator->of_parent(i); }};
}

std::uint64_t bytes_of_computed_descriptors(const encoders::chemprop::ModelSet& set,
                                            const session::MoleculeList& molecules, std::size_t threads) {
  if (!rdkit_2d_of(set.descriptors())) {
    return 0;
  }
  std::uint64_t atoms = 0;
  for (const encoders::MoleculeSize& size : molecules.sizes) {
    atoms = std::max<std::uint64_t>(atoms, size.atoms);
  }
  return molecules.block_bytes + threads * chem::rdkit_2d::descriptor_bytes(atoms);
}

}  // namespace molgauge::verbs
