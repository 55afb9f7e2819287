// `molgauge conformers`.

#include <filesystem>
#include <functional>

#include "base/core/error.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/progress.h"
#include "base/core/text/duration.h"
#include "base/core/threads/worker_group.h"
#include "base/io/bytes/staged_file.h"
#include "base/options/report_fields.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/failure_log.h"
#include "base/runtime/folders.h"
#include "base/runtime/verb_in_budget.h"
#include "molecules/chem/conformers/sdf_record.h"
#include "molecules/chem/description.h"
#include "molecules/chem/input_conformer.h"
#include "molecules/encoding/session/conformer_maker.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/files/molecule_reader.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {
namespace {

/// Records that are processed in parallel and then written in their order: their number, at most, and the
/// bytes of texts and names from which no record is added.
constexpr std::size_t kTogether = 512, kMuchText = std::size_t{16} << 20;

/// The result of a record. Either `sdf` or `reason` is empty.
struct Placed {
  std::string sdf, reason;
  bool is_own = false;
  chem::Conformer conformer;
};

Placed place(const chem::MoleculeRecord& record, session::ConformerMaker& maker) {
  Placed placed;
  try {
    if (auto own = chem::input_conformer(record, chem::Coordinates::all)) {
      placed.is_own = true;
      placed.sdf = chem::sdf_record(record);
      placed.conformer = *std::move(own);
    } else {
      chem::MadeConformer made = maker.make(record);
      placed.sdf = chem::sdf_record(record, made);
      placed.conformer = std::move(made.conformer);
    }
  } catch (const InputError& failure) {
    placed.reason = failure.what();
  }
  return placed;
}

/// Returns the record of an .sdf with another title.
std::string titled(const std::string& record, const std::string& name) {
  return name.substr(0, name.find_first_of("\r\n")) + record.substr(record.find('\n'));
}

std::vector<InMemoryConformer::Atom> atoms_of(const chem::Conformer& conformer) {
  std::vector<InMemoryConformer::Atom> atoms;
  atoms.reserve(conformer.elements.size());
  for (std::size_t i = 0; i < conformer.elements.size(); ++i) {
    const auto [x, y, z] = conformer.positions[i];
    atoms.push_back({chem::element_symbol(conformer.elements[i]), x, y, z});
  }
  return atoms;
}

session::ConformerMaker maker_of(const ConformersRequest& request) {
  return {store::BlobStore::open(runtime::store_folder(request.store), store::Access::write)
              .table(session::conformer_space(request.options.engine)),
          request.options};
}

std::size_t threads_of(const ConformersRequest& request) {
  return request.threads == 0 ? available_processors() : request.threads;
}

class ConformerFile {
 public:
  ConformerFile(const ConformersRequest& request, std::size_t total)
      : request_(request),
        maker_(maker_of(request)),
        file_(request.out),
        failed_(runtime::store_folder(request.store)),
        threads_(threads_of(request)),
        progress_("conformers", "molecule", total, request.quiet) {}

  /// `name`: returns the name of the last record that `source` has returned.
  ConformersReport write(const pipeline::MoleculeSource& source, const std::function<std::string()>& name) {
    const Stopwatch watch;
    std::vector<chem::MoleculeRecord> records;
    std::size_t text_bytes = 0;
    bool is_open = true;
    while (is_open) {
      auto record = source();
      is_open = record.has_value();
      if (record) {
        records.push_back(std::move(*record));
        names_.push_back(name());
        text_bytes += records.back().text.size() + names_.back().size();
      }
      if (records.size() == kTogether || text_bytes >= kMuchText || (!is_open && !records.empty())) {
        write(records);
        records.clear();
        names_.clear();
        text_bytes = 0;
      }
    }
    maker_.flush();
    progress_.finish();
    if (report_.rows == failed_.size()) {
      refuse_all();
    }
    file_.commit();
    report_.seconds = watch.seconds();
    add_counts();
    return report_;
  }

 private:
  void write(const std::vector<chem::MoleculeRecord>& records) {
    std::vector<Placed> placed(records.size());
    parallel_for(records.size(), threads_, [&](std::size_t i) {
      throw_if_cancelled();
      placed[i] = place(records[i], maker_);
      progress_.advance(1);
    });
    for (std::size_t i = 0; i < records.size(); ++i) {
      ++report_.rows;
      if (placed[i].reason.empty()) {
        file_.append(placed[i].is_own || names_[i].empty() ? placed[i].sdf
                                                           : titled(placed[i].sdf, names_[i]));
        report_.own += placed[i].is_own ? 1 : 0;
        continue;
      }
      const chem::MoleculeRecord& record = records[i];
      if (request_.strict) {
        throw InputError(record.file + ":" + std::to_string(record.line) + ": " + placed[i].reason +
                         ". Correct or remove the record, or leave out --strict to continue without it");
      }
      failed_.append({record.row, record.line, record.file, record.text, placed[i].reason});
    }
  }

  [[noreturn]] void refuse_all() const {
    if (report_.rows == 0) {
      throw InputError(request_.molecules + ": contains no molecules. Add a row for each molecule");
    }
    const FailedMolecule first = failed_.first(1).front();
    throw InputError(first.file + ": no record has a conformer. The first, in line " +
                     std::to_string(first.line) + ": " + first.reason);
  }

  void add_counts() {
    const session::ConformerCounts counts = maker_.counts();
    report_.made = counts.made;
    report_.from_store = counts.from_store;
    report_.flat = counts.flat;
    report_.not_converged = counts.not_converged;
    report_.unrefined = counts.unrefined;
    report_.from_exact = counts.from_exact;
    report_.processes_replaced = counts.processes_replaced;
    runtime::report_failed(failed_, report_);
  }

  const ConformersRequest& request_;
  session::ConformerMaker maker_;
  io::StagedFile file_;
  pipeline::FailureLog failed_;
  std::size_t threads_;
  std::vector<std::string> names_;  ///< names of the records that are written next
  Progress progress_;
  ConformersReport report_;
};

}  // namespace

ConformersReport make_conformers(const ConformersRequest& request) {
  if (std::filesystem::path(request.out).extension() != ".sdf") {
    throw UsageError(request.out + ": conformers are written to .sdf. Name such a file with --out");
  }
  std::vector<std::string> fields;
  const session::MoleculeTable table = session::table_of(
      request.molecules, request.smiles_column, [&](const io::MoleculeRow& row) { fields = row.fields; });
  const std::size_t total = session::list_molecules(request.molecules, request.smiles_column).records;
  return ConformerFile(request, total).write(table.source, [&] {
    return table.smiles_field ? io::name_in_row(*table.columns, fields) : std::string();
  });
}

std::vector<InMemoryConformer> make_conformers(const ConformersRequest& request,
                                               std::span<const std::string> smiles) {
  if (!request.molecules.empty() || !request.out.empty()) {
    throw UsageError("in-memory conformers do not accept file paths. Remove `molecules` and `out`");
  }
  session::ConformerMaker maker = maker_of(request);
  Progress progress("conformers", "molecule", smiles.size(), request.quiet);
  std::vector<InMemoryConformer> conformers(smiles.size());
  parallel_for(smiles.size(), threads_of(request), [&](std::size_t i) {
    throw_if_cancelled();
    Placed placed = place({.text = smiles[i], .row = i, .line = i + 1, .file = "molecules"}, maker);
    if (request.strict && !placed.reason.empty()) {
      throw InputError("molecules:" + std::to_string(i + 1) + ": " + placed.reason +
                       ". Correct or remove the molecule, or leave out strict to continue without it");
    }
    conformers[i] = {std::move(placed.sdf), {}, std::move(placed.reason)};
    if (conformers[i].reason.empty()) {
      conformers[i].atoms = atoms_of(placed.conformer);
    }
    progress.advance(1);
  });
  maker.flush();
  return conformers;
}

}  // namespace molgauge::verbs

namespace molgauge {

MOLGAUGE_REPORT_FIELDS(ConformersReport, rows, made, from_store, own, failed_records, failed, flat,
                       not_converged, unrefined, from_exact, processes_replaced, seconds)

template <>
verbs::Verb verbs::verb<ConformersRequest>() {
  return budget_row<ConformersRequest>("conformers", make_conformers);
}

}  // namespace molgauge
