#include "server/job_store.h"

#include <array>
#include <cerrno>
#include <random>
#include <utility>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"
#include "base/core/files/file_calls.h"
#include "base/core/files/folder_checksums.h"
#include "base/core/session/log.h"
#include "base/core/text/hexadecimal.h"
#include "server/work_folder.h"

namespace molgauge::serve {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kUpload = "upload-";
constexpr std::size_t kIdLength = 32;
constexpr std::string_view kNew = ".new-", kOld = ".old-";

fs::path taken(const fs::path& folder) {
  take_work_folder(folder);
  return folder;
}

bool is_upload(const std::string& name) {
  return name.starts_with(kUpload) && (name.ends_with(".part") || name.ends_with(".csv")) &&
         is_job_id(name.substr(kUpload.size(), kIdLength)) && name.find('.') == kUpload.size() + kIdLength;
}

/// The folder of a job that is not complete yet. The destructor removes the folder, unless become() has
/// succeeded.
class NewFolder {
 public:
  explicit NewFolder(fs::path folder) : folder_(std::move(folder)) {
    std::error_code failure;
    fs::create_directory(folder_, failure);
    if (failure) {
      throw system_error(folder_.string(), "create the folder", failure.value());
    }
    fs::permissions(folder_, fs::perms::owner_all);
  }
  ~NewFolder() {
    if (!folder_.empty()) {
      remove_job_folder(folder_);
    }
  }
  NewFolder(const NewFolder&) = delete;
  NewFolder& operator=(const NewFolder&) = delete;

  const fs::path& path() const { return folder_; }
  /// Renames the folder to its final name.
  void become(const fs::path& place) {
    if (file_calls().rename(folder_, place) != 0) {
      throw system_error(place.string(), "create the folder", errno);
    }
    folder_ = place;  // the destructor also removes the folder if the new name cannot be made durable
    if (file_calls().sync_folder(place.parent_path()) != 0) {
      throw system_error(place.string(), "sync", errno);
    }
    folder_.clear();
  }

 private:
  fs::path folder_;
};

}  // namespace

std::string random_id() {
  std::random_device random;
  std::array<std::uint8_t, 16> bytes{};
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(random());
  }
  return to_hexadecimal(bytes);
}

JobStore::JobStore(const fs::path& folder, double keep_hours)
    : folder_(taken(folder)), keep_hours_(keep_hours), lock_(folder_) {
  make_private_folder(scratch());
  make_private_folder(jobs());
  clean_uploads();
  find_jobs();
  remove_old();
}

void JobStore::clean_uploads() const {
  for (const fs::directory_entry& entry : fs::directory_iterator(scratch())) {
    std::error_code ignored;
    if (is_upload(entry.path().filename().string()) && fs::is_regular_file(entry.symlink_status(ignored))) {
      fs::remove(entry.path(), ignored);
    }
  }
}

void JobStore::find_jobs() {
  std::vector<fs::path> folders;
  for (const fs::directory_entry& entry : fs::directory_iterator(jobs())) {
    std::error_code unknown;
    if (entry.symlink_status(unknown).type() == fs::file_type::directory) {
      folders.push_back(entry.path());
    }
  }
  for (const fs::path& folder : folders) {
    const std::string name = folder.filename().string();
    if ((name.starts_with(kNew) || name.starts_with(kOld)) && is_job_id(name.substr(kNew.size()))) {
      remove_job_folder(folder);
      continue;
    }
    if (!is_job_id(name) || !fs::exists(folder / "job.json")) {
      log_warning("{}: is not a job and stays unchanged", folder.string());
      continue;
    }
    try {
      make_private_folder(folder);
      require_intact(folder / "job.json", "Send the list again");
      jobs_[name] = std::make_shared<Job>(name, folder, read_job_order(folder / "job.json"));
    } catch (const InputError& problem) {
      set_aside(folder, problem.what());
    } catch (const std::exception& problem) {
      log_warning("{}: cannot be read now and stays unchanged: {}", folder.string(), problem.what());
    }
  }
}

void JobStore::set_aside(const fs::path& job, const std::string& reason) const {
  const fs::path place = folder_ / "set-aside" / job.filename();
  try {
    make_private_folder(place.parent_path());
    fs::rename(job, place);
    log_warning("{}: is damaged and was moved to {}: {}", job.string(), place.string(), reason);
  } catch (const std::exception& problem) {
    log_warning("{}: is damaged ({}) and stays unchanged: {}", job.string(), reason, problem.what());
  }
}

fs::path JobStore::upload_place() const { return scratch() / (std::string(kUpload) + random_id() + ".part"); }

template <typename Fill>
std::shared_ptr<Job> JobStore::create_with(const JobOrder& order, Fill fill) {
  const std::string id = random_id();
  NewFolder folder(jobs() / (std::string(kNew) + id));
  keep_checksums(folder.path());
  fill(folder.path() / order.input);
  replace_file(folder.path() / "job.json", to_json(order));  // this call also syncs the name of the input
                                                             // file
  folder.become(jobs() / id);
  auto job = std::make_shared<Job>(id, jobs() / id, order);
  const std::lock_guard lock(mutex_);
  jobs_[id] = job;
  return job;
}

std::shared_ptr<Job> JobStore::create(const JobOrder& order, Body& body) {
  return create_with(order, [&](const fs::path& input) { body.move_to(input); });
}

std::shared_ptr<Job> JobStore::create(JobOrder order, const std::vector<ListedMolecule>& list) {
  order.input = "input.csv";
  order.is_list = true;
  return create_with(order,
                     [&](const fs::path& input) { replace_file(input, csv_of(list, order.predictions)); });
}

std::shared_ptr<Job> JobStore::find(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  return found == jobs_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Job>> JobStore::unfinished() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Job>> found;
  for (const auto& [id, job] : jobs_) {
    if (!job->is_finished()) {
      found.push_back(job);
    }
  }
  return found;
}

void JobStore::remove(const std::string& id) {
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.erase(id) == 0) {
      return;
    }
  }
  const fs::path old = jobs() / (std::string(kOld) + id);
  if (file_calls().rename(jobs() / id, old) == 0) {
    remove_job_folder(old);
  }
}

void JobStore::remove_old() {
  std::vector<std::string> old;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, job] : jobs_) {
      if (job->is_finished() && job->age() > keep_hours_ * 3600) {
        old.push_back(id);
      }
    }
  }
  for (const std::string& id : old) {
    remove(id);
  }
}

}  // namespace molgauge::serve
