#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/core/files/folder_lock.h"
#include "server/job.h"

namespace molgauge::serve {

/// The folder of the server. jobs/ID/ has a folder for each job, uploads/ has bodies that are being received,
/// and set-aside/ has jobs with damaged files. All are private to the user.
///
/// A new job appears atomically and durably: its folder is filled as jobs/.new-ID and then renamed. A job to
/// be removed is first renamed to jobs/.old-ID. Files of other programs and unreadable jobs are never
/// removed.
///
/// Thread safe. Methods read and write the disk and sync it.
class JobStore {
 public:
  /// Locks the folder for this process, removes partly received bodies of earlier processes, and finds the
  /// jobs in the folder. Throws UsageError if the folder has files of other programs, and Error if another
  /// process serves from it.
  JobStore(const std::filesystem::path& folder, double keep_hours);

  /// A new path for the body of a request.
  std::filesystem::path upload_place() const;
  std::filesystem::path scratch() const { return folder_ / "uploads"; }

  /// Creates the folder of a job from the body or the list. If the folder cannot be written, removes its
  /// files and throws Error.
  std::shared_ptr<Job> create(const JobOrder& order, Body& body);
  std::shared_ptr<Job> create(JobOrder order, const std::vector<ListedMolecule>& list);
  /// Returns the job with this id, or null if there is none.
  std::shared_ptr<Job> find(const std::string& id) const;
  /// The unfinished jobs of an earlier process.
  std::vector<std::shared_ptr<Job>> unfinished() const;
  void remove(const std::string& id);
  /// Removes the jobs that were finished more than `keep_hours` hours ago.
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

/// Returns 128 random bits in hexadecimal, so the ID cannot be guessed.
std::string random_id();

}  // namespace molgauge::serve
