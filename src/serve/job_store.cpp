#include "serve/job_store.h"

#include <array>
#include <chrono>
#include <random>

#include "core/atomic_file.h"
#include "core/error.h"
#include "core/hexadecimal.h"
#include "core/log.h"

namespace headroom::serve {
namespace {

namespace fs = std::filesystem;

fs::path made(const fs::path& folder) {
  make_folder(folder);
  return folder;
}

bool is_id(const std::string& name) {
  return name.size() == 32 && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

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
    : folder_(made(folder)), keep_hours_(keep_hours), lock_(folder_) {
  fs::remove_all(scratch());
  make_folder(scratch());
  make_folder(folder_ / "jobs");
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / "jobs")) {
    const std::string id = entry.path().filename().string();
    if (!is_id(id)) {
      continue;
    }
    try {
      jobs_[id] =
          std::make_shared<Job>(id, entry.path(), job_order_from(read_file(entry.path() / "job.json")));
    } catch (const std::exception& problem) {
      log_warning("{}: is no job and is removed: {}", entry.path().string(), problem.what());
      std::error_code ignored;
      fs::remove_all(entry.path(), ignored);
    }
  }
  remove_old();
}

fs::path JobStore::upload_place() {
  const std::lock_guard lock(mutex_);
  return scratch() / std::to_string(++uploads_);
}

fs::path JobStore::new_folder(std::string& id) {
  id = random_id();
  const fs::path folder = folder_ / "jobs" / id;
  make_folder(folder);
  return folder;
}

std::shared_ptr<Job> JobStore::add(const JobOrder& order, const std::string& id) {
  const fs::path folder = folder_ / "jobs" / id;
  replace_file(folder / "job.json", to_json(order));
  auto job = std::make_shared<Job>(id, folder, order);
  const std::lock_guard lock(mutex_);
  jobs_[id] = job;
  return job;
}

std::shared_ptr<Job> JobStore::create(JobOrder order, SpooledBody& body) {
  std::string id;
  body.move_to(new_folder(id) / order.input);
  return add(order, id);
}

std::shared_ptr<Job> JobStore::create(JobOrder order, const std::vector<ListedMolecule>& list) {
  std::string id;
  order.input = "input.csv";
  order.is_list = true;
  write_csv(list, new_folder(id) / order.input);
  return add(order, id);
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
  const std::lock_guard lock(mutex_);
  if (const auto found = jobs_.find(id); found != jobs_.end()) {
    std::error_code ignored;
    fs::remove_all(found->second->folder(), ignored);
    jobs_.erase(found);
  }
}

void JobStore::remove_old() {
  const std::lock_guard lock(mutex_);
  const auto now = fs::file_time_type::clock::now();
  for (auto job = jobs_.begin(); job != jobs_.end();) {
    std::error_code absent;
    const auto written = fs::last_write_time(job->second->folder() / "state.json", absent);
    if (!absent && job->second->is_finished() &&
        now - written > std::chrono::duration<double>(keep_hours_ * 3600)) {
      fs::remove_all(job->second->folder(), absent);
      job = jobs_.erase(job);
    } else {
      ++job;
    }
  }
}

}  // namespace headroom::serve
