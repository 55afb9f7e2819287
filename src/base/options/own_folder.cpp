#include "base/options/own_folder.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <span>
#include <vector>

#include <fmt/format.h>
#include <fnmatch.h>

#include "base/core/error.h"
#include "base/core/files/path_identity.h"
#include "base/core/session/log.h"
#include "base/options/saved_domain_files.h"

namespace molgauge::options {
namespace {

namespace fs = std::filesystem;

// Patterns as in a shell. tests/apps/any_files_test.cpp checks that they match the files that the verbs
// write.
constexpr std::array kOwnNames = {
    // Runs of train, baseline and pocket train, and their evaluations.
    "config.json", "training_stats.json", "training_history.json", "training_curve.csv",
    "training_dynamics.csv", "best_model.safetensors", "best_model.pth", "trained_molecules.safetensors",
    "validation_scores.safetensors", "benchmark.json", "splits.json", "seeds.json", "status.json",
    "hard_pair_validation.json", "test_metrics.json", "ood_evaluation_results.json",
    "detailed_predictions.csv", "failed.csv", "pockets_left_out.csv", "*_classifier.safetensors",
    "*_detector.safetensors", "*_results.json", "*_scores.npz", "*_predictions.csv", "*_metrics.json",
    "training.log", "baseline.log", "train_time.json", "checkpoint*.safetensors", "last.safetensors",
    // Matrices.
    "experiment.log", "spec.toml", "plan.csv", "cells.csv", "summary.csv", "significance.csv", "chosen.csv",
    "*_sensitivity.csv", "parameter_study.csv", "matrix_stats.json", "cell.json", "identity.txt",
    "*_summary.json", "*.recipe",
    // Graph sets, shards, weights, and models of other programs.
    "manifest.json", "part-??????.npy", "*.pt", "*.ckpt"};
constexpr std::array<const char*, 9> kOwnNamesOfSets = {"failed_graph_construction.csv",
                                                        "removed_samples.csv",
                                                        "checksums.xxh128",
                                                        ".lock",
                                                        "data.mdb",
                                                        "lock.mdb",
                                                        "model.safetensors",
                                                        "*.safetensors",
                                                        "checked"};
constexpr std::array<const char*, 4> kOfUnfinished = {"[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9].block",
                                                      "candidates", "candidates.*", ".lock"};

bool matches(std::span<const char* const> patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const char* pattern) { return fnmatch(pattern, name.c_str(), 0) == 0; });
}

/// Whether this is a temporary file of replace_file() that a killed command left behind.
bool is_temporary(const std::string& name) {
  return fnmatch(".*.[0-9]*-????????.tmp", name.c_str(), 0) == 0 ||
         fnmatch(".*.[0-9]*-????????.part", name.c_str(), 0) == 0;
}

/// Whether the entry may be a leftover of a command that was killed before its first result. Such an entry is
/// a temporary file or an empty folder.
bool is_leftover(const fs::path& entry) {
  std::error_code unknown;
  const auto status = fs::symlink_status(entry, unknown);
  return fs::is_directory(status) ? fs::is_empty(entry, unknown) && !unknown
                                  : is_temporary(entry.filename().string());
}

/// Whether the entry is a regular file that contains this text in its first 64 KiB.
bool holds_text(const fs::path& file, std::string_view text) {
  constexpr std::size_t kMax = std::size_t{1} << 16;
  std::error_code unknown;
  if (!fs::is_regular_file(file, unknown)) {
    return false;
  }
  std::ifstream stream(file, std::ios::binary);
  std::string beginning(kMax, '\0');
  stream.read(beginning.data(), static_cast<std::streamsize>(kMax));
  beginning.resize(static_cast<std::size_t>(stream.gcount()));
  return beginning.find(text) != std::string::npos;
}

/// Whether the folder has a lock file of FolderLock. A lock file contains a process ID, or nothing.
bool has_lock(const fs::path& folder) {
  std::error_code unknown;
  const fs::path file = folder / ".lock";
  if (!fs::is_regular_file(file, unknown) || fs::file_size(file, unknown) > 20) {
    return false;
  }
  std::ifstream stream(file);
  std::string content;
  std::getline(stream, content);
  return std::all_of(content.begin(), content.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

struct Marker {
  FolderKind kind;
  const char* file;
  const char* text;  ///< a text that identifies the file
};
constexpr std::array kMarkers = {
    Marker{FolderKind::run, "checksums.xxh128", "molgauge checksums"},
    Marker{FolderKind::run, "config.json", "\"foundation_model\""},
    Marker{FolderKind::run, "config.json", "\"graph_dir\""},
    Marker{FolderKind::run, "seeds.json", "\"seeds\""},
    Marker{FolderKind::evaluation, "checksums.xxh128", "molgauge checksums"},
    Marker{FolderKind::evaluation, "config.json", "\"foundation_model\""},
    Marker{FolderKind::evaluation, "ood_evaluation_results.json", "\"fpr95\""},
    Marker{FolderKind::matrix, "checksums.xxh128", "molgauge checksums"},
    Marker{FolderKind::saved_domain, "domain-manifest.json", "\"encoder_identity\""},
    Marker{FolderKind::graph_set, "manifest.json", "\"molgauge pocket graphs\""},
    Marker{FolderKind::demo, "new-molecules.smi", "this-is-no-molecule"}};

bool has_marker(const fs::path& folder, FolderKind kind) {
  return std::any_of(kMarkers.begin(), kMarkers.end(), [&](const Marker& marker) {
    return marker.kind == kind && holds_text(folder / marker.file, marker.text);
  });
}

/// Whether a command may remove or replace the entry. In saved domains and in unfinished work, this depends
/// on the name of the file. For all other kinds of folders, it is always true.
bool is_own(FolderKind kind, const fs::path& entry) {
  const std::string name = entry.filename().string();
  std::error_code unknown;
  const bool is_file = fs::is_regular_file(fs::symlink_status(entry, unknown));
  switch (kind) {
    case FolderKind::saved_domain:
      return is_file && is_file_of_saved_domain(name);
    case FolderKind::unfinished:
      return is_file && (is_temporary(name) || matches(kOfUnfinished, name));
    default:
      return true;
  }
}

}  // namespace

bool is_file_of_saved_domain(const std::string& name) {
  return is_temporary(name) || matches(domain::kSavedDomainFiles, name);
}

bool is_own_file_name(std::string_view name) {
  const std::string text(name);
  return matches(kOwnNames, text) || matches(kOwnNamesOfSets, text) ||
         matches(domain::kSavedDomainFiles, text);
}

bool is_shared_file(const fs::path& folder, const fs::path& file) {
  const std::string name = file.filename().string();
  if (file.parent_path() == folder) {
    return name == "data.mdb" || name == "lock.mdb";
  }
  const bool is_of_weights =
      name == "manifest.json" || file.extension() == ".safetensors" || file.extension() == ".pt";
  return is_of_weights && file.parent_path().parent_path() == folder;
}

std::string foreign_entry(const fs::path& folder, FolderKind kind) {
  std::error_code unknown;
  const bool locked = has_lock(folder);
  for (fs::directory_iterator entry(folder, unknown), end; !unknown && entry != end;
       entry.increment(unknown)) {
    const std::string name = entry->path().filename().string();
    if (!is_leftover(entry->path()) && (!locked || !is_own(kind, entry->path()))) {
      return name;
    }
  }
  return "";
}

bool may_be_written(const fs::path& folder, FolderKind kind) {
  std::error_code unknown;
  return kind == FolderKind::none || kind == FolderKind::shared || !fs::is_directory(folder, unknown) ||
         has_marker(folder, kind) || foreign_entry(folder, kind).empty();
}

std::string_view name_of(FolderKind kind) {
  switch (kind) {
    case FolderKind::run:
      return "a run folder";
    case FolderKind::evaluation:
      return "a folder of evaluation results";
    case FolderKind::matrix:
      return "a folder of molgauge experiment";
    case FolderKind::saved_domain:
      return "a saved domain";
    case FolderKind::graph_set:
      return "a graph set";
    case FolderKind::unfinished:
      return "a folder of unfinished work";
    case FolderKind::demo:
      return "a folder of molgauge demo";
    default:
      return "a folder of Molgauge";
  }
}

FolderKind owner_of(const fs::path& file) {
  const std::string name = file.filename().string();
  const fs::path folder = file.parent_path();
  if (matches(domain::kSavedDomainFiles, name) && has_marker(folder, FolderKind::saved_domain)) {
    return FolderKind::saved_domain;
  }
  // Users may choose names that match a pattern, such as my_predictions.csv.
  std::error_code unknown;
  const bool is_exact =
      fs::exists(file, unknown) &&
      std::any_of(kOwnNames.begin(), kOwnNames.end(), [&](const char* own) { return name == own; });
  for (const FolderKind kind : {FolderKind::run, FolderKind::matrix, FolderKind::graph_set}) {
    if (is_exact && has_marker(folder, kind)) {
      return kind;
    }
  }
  return FolderKind::none;
}

void require_own_folder(const fs::path& folder, FolderKind kind, const std::string& option) {
  if (kind != FolderKind::none && kind != FolderKind::shared) {
    require_no_links_out_of(folder);
  }
  if (!may_be_written(folder, kind)) {
    throw UsageError(
        fmt::format("{}: the folder {} is not {}. It contains {}, which is not a file of Molgauge. Name a "
                    "new or an empty folder, or move the other files away",
                    option, folder.string(), name_of(kind), foreign_entry(folder, kind)));
  }
}

void remove_own_files(const fs::path& folder, FolderKind kind) {
  std::vector<fs::path> own, others;
  std::error_code ignored;
  for (fs::directory_iterator entry(folder, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    (is_own(kind, entry->path()) ? own : others).push_back(entry->path());
  }
  for (const fs::path& file : own) {
    fs::remove(file, ignored);
  }
  if (!others.empty()) {
    log_warning("{}: not removed, because it contains {}, which is not a file of Molgauge", folder.string(),
                others.front().filename().string());
    return;
  }
  fs::remove(folder, ignored);
}

}  // namespace molgauge::options
