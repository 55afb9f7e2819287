// `molgauge encode --shard`.

#include <optional>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/checksum_list.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/files/folder_lock.h"
#include "base/core/session/cancellation.h"
#include "base/core/session/log.h"
#include "base/core/session/progress.h"
#include "base/options/own_folder.h"
#include "base/runtime/device_choice.h"
#include "base/runtime/failed_records.h"
#include "base/runtime/failure_log.h"
#include "molecules/encoders/registry.h"
#include "molecules/encoding/session/encoding_session.h"
#include "molecules/encoding/session/molecule_input.h"
#include "molecules/encoding/session/scratch_store.h"
#include "molecules/encoding/shards/shard_part.h"
#include "molecules/verbs/verbs.h"

namespace molgauge::verbs {

namespace {

/// Maximum number of bytes of text in a part. If it is reached, the part ends with fewer rows.
constexpr std::size_t kMaxTextOfPart = std::size_t{32} << 20;

/// Throws UsageError if the input cannot be read again.
void require_file(const std::string& molecules) {
  if (!std::filesystem::exists(molecules) && molecules != "-") {
    throw InputError(molecules + ": does not exist");
  }
  if (!std::filesystem::is_regular_file(molecules)) {
    throw UsageError(molecules + ": is not a file, but every shard reads the whole input. Name a file");
  }
}

pipeline::ShardWork work_of(const EncodeRequest& request, const encoders::Encoder& encoder) {
  const auto checksum = checksum_of_content(request.molecules);
  if (!checksum) {
    throw InputError(request.molecules + ": cannot be read");
  }
  return {
      .shard = pipeline::parse_shard(request.shard),
      .part_rows = request.part_rows,
      .number_type = request.part_type == PartType::float16 ? io::DataType::float16 : io::DataType::float32,
      .space = pipeline::feature_space(encoder),
      .random_weights = encoder.identity().random_weights,
      .input = std::filesystem::path(request.molecules).filename().string(),
      .input_bytes = std::filesystem::file_size(request.molecules),
      .input_checksum = *checksum,
      .smiles_column = request.smiles_column};
}

/// Returns the manifest of earlier runs, or a new manifest if there is none.
pipeline::ShardManifest manifest_to_continue(const std::filesystem::path& folder,
                                             const pipeline::ShardWork& work) {
  auto kept = pipeline::read_manifest(folder);
  if (!kept) {
    return {.work = work, .parts = {}};
  }
  const std::string difference = kept->work.difference(work);
  if (!difference.empty()) {
    throw UsageError(fmt::format("{}: contains other work: {}. Name another --out, or remove that folder",
                                 folder.string(), difference));
  }
  return std::move(*kept);
}

/// A shard that is being encoded: its finished parts, and the report of this run.
class ShardRun {
 public:
  ShardRun(const EncodeRequest& request, session::EncodingSession& session,
           const session::ScratchStore* scratch, std::filesystem::path folder)
      : request_(request),
        session_(session),
        scratch_(scratch),
        folder_(std::move(folder)),
        manifest_(manifest_to_continue(folder_, work_of(request, session.encoder()))),
        records_(session::molecules_of(request.molecules, request.smiles_column), manifest_.work.shard),
        progress_("encode shard " + request.shard, "molecule", 0, request.compute.quiet) {}

  EncodeReport run() {
    std::size_t first = 0;
    for (std::size_t part = 0; part < manifest_.parts.size(); ++part) {
      const pipeline::ShardPart kept = manifest_.parts[part];
      if (is_intact(part)) {
        records_.skip(kept.rows);
        progress_.skip(kept.rows);
        ++report_.parts_kept;
      } else if (!encode_part(part, first)) {
        throw InputError(fmt::format(
            "{}: ends before part {} of shard {}, although it was longer when the shard was started",
            request_.molecules, part, request_.shard));
      }
      first += kept.rows;
    }
    for (std::size_t part = manifest_.parts.size(); !manifest_.is_complete; ++part) {
      if (!encode_part(part, first)) {
        manifest_.is_complete = true;
        pipeline::write_manifest(folder_, manifest_);
        break;
      }
      first += manifest_.parts[part].rows;
    }
    progress_.finish();
    report_.rows = manifest_.rows();
    report_.width = session_.encoder().width();
    runtime::report_failed(failed_, report_);
    report_.failed_records = manifest_.failed();
    return std::move(report_);
  }

 private:
  bool is_intact(std::size_t part) {
    throw_if_cancelled();
    const std::string problem = pipeline::problem_of(folder_, part, manifest_.parts[part]);
    if (!problem.empty()) {
      log_warning("{}. The part is created again", problem);
    }
    return problem.empty();
  }

  /// Returns false at the end of the input.
  bool encode_part(std::size_t part, std::size_t first) {
    const auto records = records_.next_part(request_.part_rows, kMaxTextOfPart);
    if (records.empty()) {
      return false;
    }
    const auto outcome = session_.encode(pipeline::source_of(records), session::list_molecules(records));
    pipeline::ShardPart written = pipeline::write_part(folder_, manifest_.work, part, first, session_.table(),
                                                       outcome, csv_texts(request_.spreadsheet_safe));
    manifest_.parts.resize(std::max(manifest_.parts.size(), part + 1));
    manifest_.parts[part] = std::move(written);
    pipeline::write_manifest(folder_, manifest_);
    if (scratch_ != nullptr) {
      scratch_->empty();
    }
    count(outcome);
    return true;
  }

  void count(const pipeline::EncodeOutcome& outcome) {
    progress_.advance(outcome.rows);
    ++report_.parts_written;
    report_.encoded += outcome.encoded;
    report_.from_store += outcome.from_store;
    report_.cropped += outcome.cropped;
    report_.conformers_made += session_.conformers().made;
    report_.conformers_from_store += session_.conformers().from_store;
    report_.oom_recoveries += outcome.memory.recoveries;
    report_.batch_size_planned = outcome.memory.planned;
    report_.batch_size_used = outcome.memory.used;
    report_.batches += outcome.batches;
    report_.workers = session_.workers();
    report_.bottleneck = outcome.bottleneck;
    seconds_ += outcome.seconds;
    report_.molecules_per_second = static_cast<double>(report_.encoded) / seconds_;
    outcome.failed.for_each([&](FailedMolecule&& failed) {
      failed_.append(failed);
      return failed_.size() < runtime::kFailuresReported;
    });
  }

  const EncodeRequest& request_;
  session::EncodingSession& session_;
  const session::ScratchStore* scratch_;
  std::filesystem::path folder_;
  pipeline::ShardManifest manifest_;
  pipeline::ShardRecords records_;
  Progress progress_;
  pipeline::FailureLog failed_{{}, pipeline::FailureLog::Order::as_appended};
  double seconds_ = 0;
  EncodeReport report_;
};

session::EncodingSettings settings_of_shard(const EncodeRequest& request,
                                            const std::filesystem::path& store) {
  session::EncodingSettings settings{.encoder = request.encoder,
                                     .store = store.string(),
                                     .weights = request.weights,
                                     .batch_atoms = request.batch_atoms,
                                     .strict = request.strict,
                                     .allow_all_failed = true,
                                     .placement = request.placement,
                                     .compute = request.compute};
  settings.compute.quiet = true;  // the progress of the shard is shown instead
  return settings;
}

}  // namespace

EncodeReport encode_shard(const EncodeRequest& request) {
  const pipeline::Shard shard = pipeline::parse_shard(request.shard);
  if (request.out.empty()) {
    throw UsageError("--shard: name the folder of all shards with --out");
  }
  if (!request.atom_features.empty() || !request.pair_features.empty()) {
    throw UsageError("--shard: features of atoms and of pairs are not written in shards. Leave them out");
  }
  require_file(request.molecules);
  const std::filesystem::path folder = pipeline::shard_folder(request.out, shard);
  options::require_own_folder(folder, options::FolderKind::run, "--out " + request.out);
  make_folder(folder);
  const FolderLock lock(folder);
  keep_checksums(folder);
  std::optional<session::ScratchStore> scratch;
  if (request.store.empty()) {
    scratch.emplace(folder);
  }
  EncodeReport report;
  {
    encoders::require_device(request.encoder, request.compute.device);
    runtime::BudgetScope memory(request.compute, runtime::parse_device(request.compute.device));
    session::EncodingSession session(
        settings_of_shard(request, scratch ? scratch->folder() : std::filesystem::path(request.store)),
        memory);
    report = ShardRun(request, session, scratch ? &*scratch : nullptr, folder).run();
    report.phase = memory.phases().report("encoding");
  }
  if (scratch) {
    scratch->remove();
  }
  return report;
}

}  // namespace molgauge::verbs
