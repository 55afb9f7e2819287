#include "molecules/encoding/pipeline/file_source.h"

#include <new>
#include <span>
#include <utility>

#include "base/core/error.h"
#include "base/core/hash.h"
#include "base/core/session/log.h"

namespace molgauge::pipeline {
namespace {

class ReopeningSource {
 public:
  ReopeningSource(OpenReader open, std::function<void(const io::MoleculeRow&)> see)
      : open_(std::move(open)), see_(std::move(see)), reader_(open_()) {}

  std::optional<chem::MoleculeRecord> next() {
    std::optional<io::MoleculeRow> row;
    try {
      row = reader_->next();
    } catch (const std::bad_alloc&) {
      reader_.reset();
    }
    if (!reader_) {
      row = read_again();
    }
    if (!row) {
      return std::nullopt;
    }
    ++given_;
    append(*row, given_hash_);
    if (see_) {
      see_(*row);
    }
    return std::move(row->record);
  }

 private:
  static void append(const io::MoleculeRow& row, GrowingHash128& hash) {
    hash.append(std::as_bytes(std::span(row.record.text)));
  }

  std::optional<io::MoleculeRow> read_again() {
    log_warning("reading: out of memory at record {}. Reading the input again up to this record", given_ + 1);
    try {
      reader_ = open_();
      GrowingHash128 read_hash;
      for (std::size_t i = 0; i < given_; ++i) {
        if (const auto earlier = reader_->next()) {
          append(*earlier, read_hash);
        }
      }
      if (read_hash.value() != given_hash_.value()) {
        throw InputError(
            "the input changed while the command was reading it. Run the same command again when no other "
            "program writes to it");
      }
      return reader_->next();
    } catch (const std::bad_alloc&) {
      throw Error(
          "record " + std::to_string(given_ + 1) +
              " of the input does not fit in memory. Free some memory, or allow more with --memory-budget",
          ExitCode::over_budget);
    }
  }

  OpenReader open_;
  std::function<void(const io::MoleculeRow&)> see_;
  std::unique_ptr<io::MoleculeReader> reader_;
  std::size_t given_ = 0;
  GrowingHash128 given_hash_;  ///< hash of the texts of the records that were returned
};

}  // namespace

MoleculeSource reopening_source(OpenReader open, std::function<void(const io::MoleculeRow&)> see) {
  const auto source = std::make_shared<ReopeningSource>(std::move(open), std::move(see));
  return [source] { return source->next(); };
}

}  // namespace molgauge::pipeline
