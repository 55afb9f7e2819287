// `molgauge store import`: imports feature pickles of the Python project into the feature store.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/progress.h"
#include "base/core/threads/worker_group.h"
#include "base/io/tensors/feature_cache.h"
#include "base/options/report_fields.h"
#include "base/options/verb.h"
#include "base/runtime/folders.h"
#include "molecules/chem/perception.h"
#include "molecules/encoding/session/imported_features.h"
#include "molecules/store/features/feature_store.h"

namespace molgauge::verbs {
namespace {

/// Number of rows that are read, checked and stored together. With 512 numbers in a row, these are 8 MiB.
constexpr std::size_t kBlockRows = 4096;

/// Rows that have been read from the file and are not stored yet.
struct Block {
  std::size_t begin = 0;  ///< index of the block's first entry in the file
  std::vector<std::size_t> entries;
  std::vector<Hash128> keys;
  std::vector<float> rows;  ///< row-major [keys.size(), width]
};

/// Returns one text for each of the entries [begin, begin + count). It is the reason why RDKit cannot read
/// the SMILES, or empty if RDKit can. The Python project stores the features of a placeholder for an
/// unreadable SMILES.
std::vector<std::string> unreadable(const io::FeatureCache& cache, std::size_t begin, std::size_t count,
                                    std::size_t threads) {
  std::vector<std::string> reasons(count);
  parallel_for(count, threads, [&](std::size_t i) {
    chem::MoleculeRecord record;
    record.text = cache.smiles(begin + i);
    try {
      chem::perceive(record, {.graph = false, .morgan = false});
    } catch (const chem::InvalidMolecule& failure) {
      reasons[i] = failure.what();
    }
  });
  return reasons;
}

bool all_finite(std::span<const float> row) {
  return std::ranges::all_of(row, [](float number) { return std::isfinite(number); });
}

/// Whether a number has changed because it was converted to float32.
bool is_rounded(const io::TensorData& row, std::span<const float> narrowed) {
  if (row.type != io::DataType::float64) {
    return false;
  }
  for (std::size_t i = 0; i < narrowed.size(); ++i) {
    double number = 0;
    std::memcpy(&number, row.bytes.data() + i * sizeof number, sizeof number);
    if (number != static_cast<double>(narrowed[i])) {
      return true;
    }
  }
  return false;
}

class FeatureImport {
 public:
  FeatureImport(const ImportFeaturesRequest& request, const io::FeatureCache& cache,
                store::FeatureTable table)
      : request_(request), cache_(cache), table_(std::move(table)), width_(table_.space().width) {}

  ImportFeaturesReport run() {
    report_.database = table_.name();
    report_.width = width_;
    report_.rows = cache_.size();
    if (!request_.replace && table_.size() > 0) {
      for_each_block([this](const Block& block) { refuse_contradictions(block); });
      report_.failed.clear();
      report_.rounded = 0;
    }
    Progress progress("import", "molecule", cache_.size(), request_.quiet);
    for_each_block([&](const Block& block) {
      store(block);
      progress.advance(std::min(kBlockRows, cache_.size() - block.begin));
    });
    return std::move(report_);
  }

 private:
  template <typename Visit>
  void for_each_block(Visit visit) {
    for (std::size_t begin = 0; begin < cache_.size(); begin += kBlockRows) {
      throw_if_cancelled();
      visit(read_block(begin, std::min(kBlockRows, cache_.size() - begin)));
    }
  }

  Block read_block(std::size_t begin, std::size_t count) {
    const std::size_t threads = request_.threads > 0 ? request_.threads : available_processors();
    const auto reasons = unreadable(cache_, begin, count, threads);
    Block block;
    block.begin = begin;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t entry = begin + i;
      if (!reasons[i].empty()) {
        fail(entry, "not a molecule, so its row is a placeholder: " + reasons[i]);
      } else {
        take_row(entry, block);
      }
    }
    return block;
  }

  void take_row(std::size_t entry, Block& block) {
    const io::TensorData row = cache_.row(entry);
    const std::vector<float> numbers = row.to_float32();
    if (numbers.size() != width_) {
      throw InputError(fmt::format("{}: features['{}']: has {} numbers, but the others have {}",
                                   request_.file, cache_.smiles(entry).substr(0, 80), numbers.size(),
                                   width_));
    }
    if (!all_finite(numbers)) {
      fail(entry, "its row has numbers that are not finite");
      return;
    }
    report_.rounded += is_rounded(row, numbers) ? 1 : 0;
    block.entries.push_back(entry);
    block.keys.push_back(hash128(cache_.smiles(entry)));
    block.rows.insert(block.rows.end(), numbers.begin(), numbers.end());
  }

  void fail(std::size_t entry, const std::string& reason) {
    if (request_.strict) {
      throw InputError(fmt::format("{}: features['{}']: {}. Leave out --strict to continue without it",
                                   request_.file, cache_.smiles(entry).substr(0, 80), reason));
    }
    report_.failed.push_back({entry, entry + 1, request_.file, cache_.smiles(entry), reason});
  }

  void refuse_contradictions(const Block& block) {
    std::vector<float> known(block.rows.size());
    const std::vector<bool> found = table_.read(block.keys, known);
    for (std::size_t i = 0; i < block.keys.size(); ++i) {
      if (found[i] && std::memcmp(&known[i * width_], &block.rows[i * width_], width_ * sizeof(float)) != 0) {
        throw InputError(
            fmt::format("{}: features['{}']: differs from the features that are already imported as '{}'. "
                        "Import under another --name, or overwrite with --replace",
                        request_.file, cache_.smiles(block.entries[i]).substr(0, 80), request_.name));
      }
    }
  }

  void store(const Block& block) {
    table_.write(block.keys, block.rows);
    report_.imported += block.keys.size();
  }

  const ImportFeaturesRequest& request_;
  const io::FeatureCache& cache_;
  store::FeatureTable table_;
  std::size_t width_;
  ImportFeaturesReport report_;
};

/// Returns the name of the encoder of the rows. It comes from the request, else from the file. The default is
/// MiniMol.
std::string encoder_of(const ImportFeaturesRequest& request, const io::FeatureCache& cache) {
  const std::string& said = cache.foundation_model();
  if (!request.encoder.empty() && !said.empty() && request.encoder != said) {
    throw InputError(request.file + ": holds features of " + said + ", not of " + request.encoder +
                     ". Leave out --encoder");
  }
  const std::string encoder = request.encoder.empty() ? said : request.encoder;
  return encoder.empty() ? "minimol" : encoder;
}

ImportFeaturesReport store_import(const ImportFeaturesRequest& given) {
  ImportFeaturesRequest request = given;
  if (request.name.empty()) {
    request.name = std::filesystem::path(request.file).stem().string();
  }
  const io::FeatureCache cache(request.file);
  const std::string encoder = encoder_of(request, cache);
  const std::size_t width = static_cast<std::size_t>(cache.row(0).element_count());
  const auto features = store::FeatureStore::open(runtime::store_folder(request.store), store::Access::write);
  const auto table = features.table(session::imported_space(encoder, request.name, width));
  ImportFeaturesReport report = FeatureImport(request, cache, table).run();
  report.encoder = encoder;
  report.name = request.name;
  if (report.imported == 0) {
    throw InputError(request.file + ": none of its rows could be imported: " + report.failed.front().reason);
  }
  return report;
}

}  // namespace
}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(ImportFeaturesReport, database, encoder, name, rows, imported, width, rounded, failed)

template <>
verbs::Verb verbs::verb<ImportFeaturesRequest>() {
  return row<ImportFeaturesRequest>("store_import", store_import);
}

}  // namespace molgauge
