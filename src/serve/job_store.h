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

/// The folder of the server: jobs/ID/ with a folder for each job, and uploads/ with bodies that are being
/// received. Thread safe.
class JobStore {
 public:
  /// Makes the folder, takes it for this process alone, removes what an earlier process was receiving, and
  /// finds its jobs. Throws Error where another process serves from it.
  JobStore(const std::filesystem::path& folder, double keep_hours);

  /// A place for a body; nothing is there.
  std::filesystem::path upload_place();
  std::filesystem::path scratch() const { return folder_ / "uploads"; }

  /// Makes the folder of a job and moves the body there, or writes the list.
  std::shared_ptr<Job> create(JobOrder order, SpooledBody& body);
  std::shared_ptr<Job> create(JobOrder order, const std::vector<ListedMolecule>& list);
  /// Null where there is none.
  std::shared_ptr<Job> find(const std::string& id) const;
  /// Those that an earlier process has not finished.
  std::vector<std::shared_ptr<Job>> unfinished() const;
  void remove(const std::string& id);
  /// Removes the finished jobs that are too old.
  void remove_old();

 private:
  std::shared_ptr<Job> add(const JobOrder& order, const std::string& id);
  std::filesystem::path new_folder(std::string& id);

  std::filesystem::path folder_;
  double keep_hours_;
  FolderLock lock_;
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Job>> jobs_;
  std::uint64_t uploads_ = 0;
};

/// 128 random bits in hexadecimal: an id that is not guessed.
std::string random_id();

}  // namespace headroom::serve
