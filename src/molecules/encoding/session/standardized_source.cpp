#include "molecules/encoding/session/standardized_source.h"

#include <algorithm>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/threads/worker_group.h"
#include "molecules/chem/form_cache.h"
#include "molecules/chem/perception.h"
#include "molecules/encoding/session/imported_features.h"

namespace molgauge::session {
namespace {

constexpr std::size_t kReadAhead = 512, kTextAhead = std::size_t{1} << 20;

chem::MoleculeRecord standardized(const chem::MoleculeRecord& record, chem::Standardization mode) {
  try {
    return chem::standardized_record(record, mode);
  } catch (const chem::InvalidMolecule& problem) {
    chem::MoleculeRecord refused = record;
    refused.unreadable = problem.what();
    return refused;
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("{}:{}: out of memory while the molecule was standardised. Free some memory, or "
                            "leave out its record",
                            record.file, record.line),
                ExitCode::over_budget);
  }
}

class StandardizedSource {
 public:
  StandardizedSource(pipeline::MoleculeSource source, chem::Standardization mode, std::size_t threads,
                     std::size_t* changed)
      : source_(std::move(source)), mode_(mode), threads_(threads), changed_(changed) {}

  std::optional<chem::MoleculeRecord> next() {
    if (at_ == records_.size()) {
      read_ahead();
    }
    if (at_ < records_.size()) {
      return std::move(records_[at_++]);
    }
    if (failure_) {
      std::rethrow_exception(std::exchange(failure_, nullptr));
    }
    return std::nullopt;
  }

 private:
  void read_ahead() {
    at_ = 0;
    std::vector<chem::MoleculeRecord> drawn;
    std::size_t text = 0;
    try {
      while (!has_ended_ && drawn.size() < kReadAhead && text < kTextAhead) {
        auto record = source_();
        if (!record) {
          has_ended_ = true;
          break;
        }
        text += record->text.size();
        drawn.push_back(std::move(*record));
      }
    } catch (...) {
      has_ended_ = true;
      failure_ = std::current_exception();
    }
    records_ = standardized_records(drawn, mode_, threads_);
    for (std::size_t i = 0; changed_ != nullptr && i < drawn.size(); ++i) {
      *changed_ += records_[i].text == drawn[i].text ? 0 : 1;
    }
  }

  pipeline::MoleculeSource source_;
  chem::Standardization mode_;
  std::size_t threads_;
  std::size_t* changed_;
  std::vector<chem::MoleculeRecord> records_;
  std::size_t at_ = 0;
  bool has_ended_ = false;
  std::exception_ptr failure_;
};

}  // namespace

chem::Standardization standardize_before_encoding(chem::Standardization mode, const std::string& features) {
  return !features.empty() && parse_feature_origin(features).imported() ? Standardize::none : mode;
}

std::vector<chem::MoleculeRecord> standardized_records(std::span<const chem::MoleculeRecord> records,
                                                       chem::Standardization mode, std::size_t threads) {
  std::vector<chem::MoleculeRecord> results(records.size());
  parallel_for(records.size(), threads, [&](std::size_t i) {
    throw_if_cancelled();
    results[i] = standardized(records[i], mode);
  });
  return results;
}

pipeline::MoleculeSource standardized_source(pipeline::MoleculeSource source, chem::Standardization mode,
                                             std::size_t threads, std::size_t* changed) {
  const auto standardized = std::make_shared<StandardizedSource>(std::move(source), mode, threads, changed);
  return [standardized] { return standardized->next(); };
}

std::uint64_t bytes_of_standardizing(Standardize mode, std::size_t threads, std::size_t records) {
  using Cache = chem::FormCache;
  constexpr std::uint64_t kTautomers = std::uint64_t{24} << 20;
  const std::uint64_t cache = std::min(records, Cache::kMaxCachedForms) * Cache::kBytesOfCachedForm;
  switch (mode) {
    case Standardize::none:
      return 0;
    case Standardize::parent:
      return cache;
    case Standardize::tautomer:
      break;
  }
  return 2 * cache + threads * kTautomers;  // memory for parents and for tautomers
}

}  // namespace molgauge::session
