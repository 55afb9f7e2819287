#include "molecules/verbs/describe/result_table.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/core/text/counted.h"
#include "base/core/text/sdf_field.h"
#include "base/core/threads/worker_group.h"
#include "base/io/tables/workbook_writer.h"
#include "molecules/chem/depict.h"
#include "molecules/chem/perception.h"

namespace molgauge::verbs {
namespace {

/// Molecules are laid out when this many wait, or when their texts reach this size.
constexpr std::size_t kRowsAtOnce = 512, kBytesAtOnce = std::size_t{1} << 20;

void require_ending(const char* option, const std::string& name, const char* ending) {
  if (!name.empty() && std::filesystem::path(name).extension() != ending) {
    throw UsageError(fmt::format("{} {}: does not end in {}. Give a name that does", option, name, ending));
  }
}

}  // namespace

void require_endings(const TableCopies& copies) {
  require_ending("--workbook", copies.workbook, ".xlsx");
  require_ending("--sdf", copies.sdf, ".sdf");
}

std::uint64_t bytes_of_copies(const TableCopies& copies, std::uint64_t longest, std::size_t threads) {
  // Waiting rows and their records, and the layouts of molecules with 200 atoms.
  constexpr std::uint64_t kOfThread = std::uint64_t{2} << 20;
  return copies.sdf.empty() ? 0 : 2 * (kBytesAtOnce + longest) + kRowsAtOnce * 20'000 + threads * kOfThread;
}

ResultTable::ResultTable(const std::filesystem::path& csv, std::vector<std::string> header, CsvTexts texts,
                         const TableCopies& copies, std::size_t threads)
    : csv_path_(csv),
      columns_(std::move(header)),
      workbook_(copies.workbook),
      threads_(threads),
      csv_(csv, columns_, texts) {
  if (!copies.sdf.empty()) {
    sdf_.emplace(copies.sdf);
  }
  const auto title = std::find(columns_.begin(), columns_.end(), "name");
  if (title != columns_.end()) {
    title_ = static_cast<std::size_t>(title - columns_.begin());
  }
}

void ResultTable::append(const chem::MoleculeRecord& record, std::vector<std::string> cells) {
  csv_.append(cells);
  if (!sdf_) {
    return;
  }
  waiting_bytes_ += record.text.size();
  for (const std::string& cell : cells) {
    waiting_bytes_ += cell.size();
  }
  waiting_.push_back({record, std::move(cells)});
  if (waiting_.size() == kRowsAtOnce || waiting_bytes_ >= kBytesAtOnce) {
    write_waiting();
  }
}

std::string ResultTable::sdf_record(const Row& row) const {
  std::string text;
  if (!row.record.unreadable.empty()) {
    return text;
  }
  try {
    if (row.record.format == chem::RecordFormat::molblock) {
      chem::perceive(row.record, {.graph = false});
      text = row.record.text + (row.record.text.ends_with('\n') ? "" : "\n");
    } else {
      text = chem::flat_mol_block(row.record);
      text.replace(0, text.find('\n'), title_ ? sdf_line(row.cells[*title_]) : "");
    }
  } catch (const chem::InvalidMolecule&) {
    return "";
  }
  for (std::size_t i = 0; i < row.cells.size(); ++i) {
    text += sdf_field(columns_[i], row.cells[i]);
  }
  return text + "$$$$\n";
}

void ResultTable::write_waiting() {
  std::vector<std::string> records(waiting_.size());
  parallel_for(waiting_.size(), threads_, [&](std::size_t i) {
    throw_if_cancelled();
    records[i] = sdf_record(waiting_[i]);
  });
  for (const std::string& record : records) {
    left_out_ += record.empty() ? 1 : 0;
    sdf_->append(record);
  }
  waiting_.clear();
  waiting_bytes_ = 0;
}

void ResultTable::finish() {
  csv_.finish();
  if (sdf_) {
    write_waiting();
    sdf_->commit();
    if (left_out_ > 0) {
      log_warning("{}: {} left out: not valid, or a SMILES with more than {} atoms", sdf_->path().string(),
                  counted(left_out_, "molecule"), chem::kMaxDrawnAtoms);
    }
  }
  if (!workbook_.empty()) {
    io::write_workbook(csv_path_, workbook_);
  }
}

}  // namespace molgauge::verbs
