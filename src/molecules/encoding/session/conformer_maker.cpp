#include "molecules/encoding/session/conformer_maker.h"

#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/log.h"
#include "molecules/encoders/placement.h"
#include "molecules/encoding/pipeline/encode_molecules.h"

namespace molgauge::session {
namespace {

constexpr std::chrono::milliseconds kUnwritten(500);

}  // namespace

store::BlobSpace conformer_space(ConformerEngine engine) {
  return {.kind = "conformers", .options = chem::conformer_recipe(engine)};
}

ConformerMaker::ConformerMaker(store::BlobTable table, const ConformerOptions& options)
    : table_(std::move(table)),
      limits_{.deadline = std::chrono::duration<double>(options.deadline_seconds),
              .most_atoms = options.max_atoms,
              .engine = options.engine},
      takes_drawings_(options.fallback != ConformerFallback::fail) {}

ConformerMaker::~ConformerMaker() {
  try {
    flush();
  } catch (const std::exception& failure) {
    log_warning("conformers were not written to the store: {}", failure.what());
  }
}

chem::MadeConformer ConformerMaker::make(const chem::MoleculeRecord& record) {
  const Hash128 key = pipeline::key_of(record);
  std::optional<chem::MadeConformer> made;
  if (const auto blob = table_.read({&key, 1}).front()) {
    made = chem::unpack_conformer(*blob);
  }
  const bool is_from_store = made.has_value();
  if (!made) {
    made = place(record);
    keep(key, *made);
  } else if (made->conformer.elements.size() > limits_.most_atoms) {
    throw InputError(
        fmt::format("has {} atoms with its hydrogens, more than the maximum of {} for a conformer",
                    made->conformer.elements.size(), limits_.most_atoms));
  }
  if (made->embedding == chem::Embedding::flat && !takes_drawings_) {
    throw InputError("3D embedding failed. To use 2D coordinates, add --conformer-fallback 2d");
  }
  count(*made, is_from_store);
  return std::move(*made);
}

chem::MadeConformer ConformerMaker::place(const chem::MoleculeRecord& record) {
  std::unique_ptr<chem::WorkerProcess> worker;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      worker = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (!worker) {
    worker = std::make_unique<chem::WorkerProcess>();
  }
  const std::size_t lost = worker->lost();
  const auto give_back = [&] {
    const std::lock_guard lock(mutex_);
    counts_.processes_replaced += worker->lost() - lost;
    idle_.push_back(std::move(worker));
  };
  try {
    chem::MadeConformer made = worker->make(record, limits_);
    give_back();
    return made;
  } catch (...) {
    give_back();
    throw;
  }
}

void ConformerMaker::keep(const Hash128& key, const chem::MadeConformer& made) {
  bool is_due = false;
  {
    const std::lock_guard lock(mutex_);
    keys_.push_back(key);
    waiting_.push_back(chem::pack(made));
    is_due = Clock::now() - written_ >= kUnwritten;
  }
  if (is_due) {
    flush();
  }
}

void ConformerMaker::flush() {
  std::vector<Hash128> keys;
  std::vector<store::Blob> blobs;
  {
    const std::lock_guard lock(mutex_);
    keys.swap(keys_);
    blobs.swap(waiting_);
    written_ = Clock::now();
  }
  table_.write(keys, blobs);
}

void ConformerMaker::count(const chem::MadeConformer& made, bool is_from_store) {
  const std::lock_guard lock(mutex_);
  ++(is_from_store ? counts_.from_store : counts_.made);
  counts_.flat += made.embedding == chem::Embedding::flat ? 1 : 0;
  counts_.not_converged += made.refinement == chem::Refinement::not_converged ? 1 : 0;
  counts_.from_exact += made.made_by == chem::MadeBy::exact_after_fast ? 1 : 0;
  counts_.unrefined +=
      made.refinement == chem::Refinement::no_parameters || made.refinement == chem::Refinement::failed ? 1
                                                                                                        : 0;
}

ConformerCounts ConformerMaker::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace molgauge::session
