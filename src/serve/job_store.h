#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/folder_lock.h"
#include "serve/job.h"

namespace headroom::serve {

/// The folder of the server: jobs/ID/ with a folder for each job, uploads/ with bodies that are being
/// received, and set-aside/ with jobs whose files are damaged. All of them are private to the user.
///
/// A job appears at once and durable: its folder is filled as jobs/.new-ID and renamed then. A job that is
/// removed is renamed to jobs/.old-ID first. Nothing else is removed: neither files of others nor jobs that
/// cannot be read.
///
/// Thread safe. Methods read and write the disk and sync it.
class JobStore {
 public:
  /// Takes the folder for this process alone, removes the bodies that an earlier process was receiving, and
  /// finds its jobs. Throws UsageError if the folder holds files of others, and Error if another process
  /// serves from it.
  JobStore(const std::filesystem::path& folder, double keep_hours);

  /// A place for a body; nothing is there.
  std::filesystem::path upload_place() const;
  std::filesystem::path scratch() const { return folder_ / "uploads"; }

  /// Makes the folder of a job from the body or the list. Throws Error if it cannot be written; then nothing
  /// is left of it.
  std::shared_ptr<Job> create(const JobOrder& order, Body& body);
  std::shared_ptr<Job> create(JobOrder order, const std::vector<ListedMolecule>& list);
  /// Null if there is none.
  std::shared_ptr<Job> find(const std::string& id) const;
  /// The jobs that an earlier process has not finished.
  std::vector<std::shared_ptr<Job>> unfinished() const;
  void remove(const std::string& id);
  /// Removes the finished jobs that are too old.
  void remove_old();

 private:
  template <typename Fill>
  std::shared_ptr<Job> create_with(const JobOrder& order, Fill fill);
  void clean_uploads() const;
  void find_jobs();
  void set_aside(const std::filesystem::path& job, const std::string& reason) const;
  std::filesystem::path jobs() const { return folder_ / "jobs"; }

  std::filesystem::path folder_;
  double keep_hours_;
  FolderLock lock_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Job>> jobs_;
};

/// 128 random bits in hexadecimal: an id that is not guessed.
std::string random_id();

}  // namespace headroom::serve
