#include "support/faulty_files.h"

#include <cerrno>
#include <fstream>

#include <gmock/gmock.h>

#include "base/core/error.h"
#include "base/core/files/atomic_file.h"

namespace molgauge::test {
namespace {

// Syncing is only simulated, because disks are slow. lose() decides which effect it has.
int pretend_to_sync(const std::filesystem::path& path) {
  if (std::filesystem::exists(path)) {
    return 0;
  }
  errno = ENOENT;
  return -1;
}

/// Truncates a file in the middle of its unsynced bytes, as if only some of its blocks were written to the
/// disk.
void tear(const std::filesystem::path& path, std::uintmax_t synced) {
  if (std::filesystem::exists(path)) {
    const std::uintmax_t size = std::filesystem::file_size(path);
    std::filesystem::resize_file(path, synced < size ? synced + (size - synced) / 2 : size);
  }
}

}  // namespace

bool FaultyFiles::begin_call() {
  if (crashed()) {
    return false;
  }
  ++calls_;
  if (due(Fault::crash)) {
    struck_ = true;
    throw SimulatedCrash();
  }
  if (due(Fault::io_error) && !struck_) {
    struck_ = true;
    errno = EIO;
    return false;
  }
  return true;
}

int FaultyFiles::create(const std::filesystem::path& path) {
  if (!begin_call()) {
    return -1;
  }
  is_synced_[path] = false;
  synced_bytes_.erase(path);
  created_.push_back(path);
  return FileCalls::create(path);
}

int FaultyFiles::open_to_append(const std::filesystem::path& path, off_t size) {
  if (!begin_call()) {
    return -1;
  }
  if (!std::filesystem::exists(path)) {
    created_.push_back(path);
  } else if (!is_synced_.contains(path)) {
    synced_bytes_[path] = std::filesystem::file_size(path);  // written before the faults began
  }
  is_synced_[path] = false;
  return FileCalls::open_to_append(path, size);
}

ssize_t FaultyFiles::write(int descriptor, std::span<const std::byte> bytes, off_t offset) {
  if (!begin_call()) {
    return -1;
  }
  if (due(Fault::full_disk) && struck_) {
    errno = ENOSPC;
    return -1;
  }
  if ((due(Fault::full_disk) || due(Fault::short_write)) && !struck_) {
    struck_ = true;
    bytes = bytes.first((bytes.size() + 1) / 2);
  }
  return FileCalls::write(descriptor, bytes, offset);
}

int FaultyFiles::close(int descriptor) {
  // Always closes the descriptor, as close(2) does. A test must not run out of descriptors.
  FileCalls::close(descriptor);
  return begin_call() ? 0 : -1;
}

int FaultyFiles::sync_file(const std::filesystem::path& path) {
  if (!begin_call()) {
    return -1;
  }
  is_synced_[path] = true;
  std::error_code absent;
  if (const std::uintmax_t size = std::filesystem::file_size(path, absent); !absent) {
    synced_bytes_[path] = size;
  }
  return pretend_to_sync(path);
}

int FaultyFiles::sync_folder(const std::filesystem::path& path) {
  if (!begin_call()) {
    return -1;
  }
  std::erase_if(created_, [&](const auto& file) { return file.parent_path() == path; });
  std::erase_if(exchanged_, [&](const auto& pair) { return pair.second.parent_path() == path; });
  std::erase_if(renamed_, [&](const Renamed& name) { return name.to.parent_path() == path; });
  return pretend_to_sync(path);
}

int FaultyFiles::rename(const std::filesystem::path& from, const std::filesystem::path& to) {
  if (!begin_call()) {
    return -1;
  }
  Renamed name{from, to, std::nullopt};
  if (std::filesystem::is_regular_file(to)) {
    name.replaced = read_file(to);
  }
  const int result = FileCalls::rename(from, to);
  if (result == 0) {
    renamed_.push_back(std::move(name));
    if (std::filesystem::is_directory(to)) {
      return result;
    }
    is_synced_[to] = is_synced_[from];
    is_synced_.erase(from);
    synced_bytes_.erase(to);
  }
  return result;
}

int FaultyFiles::exchange(const std::filesystem::path& one, const std::filesystem::path& other) {
  if (!begin_call()) {
    return -1;
  }
  exchanged_.emplace_back(one, other);
  return FileCalls::exchange(one, other);
}

int FaultyFiles::remove(const std::filesystem::path& path) {
  return begin_call() ? FileCalls::remove(path) : -1;
}

void FaultyFiles::lose(Loss loss) {
  if (loss == Loss::nothing) {
    return;
  }
  for (const auto& [path, is_synced] : is_synced_) {
    if (!is_synced) {
      const auto synced = synced_bytes_.find(path);
      tear(path, synced == synced_bytes_.end() ? 0 : synced->second);
    }
  }
  if (loss == Loss::unsynced_data) {
    return;
  }
  for (const auto& [one, other] : exchanged_) {
    FileCalls::exchange(one, other);
  }
  for (; !renamed_.empty(); renamed_.pop_back()) {
    const Renamed& name = renamed_.back();
    std::filesystem::rename(name.to, name.from);
    if (name.replaced) {
      std::ofstream(name.to, std::ios::binary) << *name.replaced;
    }
  }
  for (const auto& file : created_) {
    std::filesystem::remove(file);
  }
}

namespace {

/// A write operation with one fault, and the rules that must hold afterwards.
class Trial {
 public:
  Trial(const Writing& writing, Fault fault, std::size_t call, Loss loss = Loss::nothing)
      : writing_(writing), fault_(fault), loss_(loss) {
    writing_.prepare(folder_.path());
    FaultyFiles files;
    files.arm(fault, call);
    write();
    struck_ = files.struck();
    files.lose(loss);
  }

  void expect_one_of(const std::vector<std::string>& allowed, const std::string& after) {
    EXPECT_THAT(allowed, testing::Contains(writing_.read(folder_.path())));
    if (!failed_ && fault_ != Fault::crash) {
      EXPECT_EQ(writing_.read(folder_.path()), after) << "success was reported";
    }
    if (failed_) {
      expect_no_temporary_file();
    }
    writing_.write(folder_.path());
    EXPECT_EQ(writing_.read(folder_.path()), after) << "written again, without a fault";
  }

 private:
  void write() {
    try {
      writing_.write(folder_.path());
    } catch (const SimulatedCrash&) {
      EXPECT_EQ(fault_, Fault::crash);
    } catch (const Error& error) {
      failed_ = true;
      EXPECT_NE(fault_, Fault::short_write) << error.what();
      EXPECT_THAT(error.what(), testing::HasSubstr(folder_.path().string()));
      EXPECT_THAT(error.what(),
                  testing::HasSubstr(fault_ == Fault::full_disk ? "Free some space" : "Input/output error"));
    }
  }

  void expect_no_temporary_file() {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path())) {
      const std::string name = entry.path().filename().string();
      EXPECT_TRUE(name == ".lock" || name.front() != '.') << entry.path() << " was left behind";
    }
  }

  const Writing& writing_;
  const TemporaryFolder folder_;
  Fault fault_;
  Loss loss_;
  bool failed_ = false, struck_ = false;
};

}  // namespace

void expect_survives_every_fault(const Writing& writing, const std::vector<std::string>& allowed) {
  const TemporaryFolder undisturbed;
  writing.prepare(undisturbed.path());
  std::vector<std::string> states = allowed;
  states.push_back(writing.read(undisturbed.path()));
  std::size_t calls = 0;
  {
    const FaultyFiles counted;
    writing.write(undisturbed.path());
    calls = counted.calls();
  }
  ASSERT_GT(calls, 0U) << "nothing was written through file_calls()";
  const std::string after = writing.read(undisturbed.path());
  states.push_back(after);
  for (std::size_t call = 0; call < calls; ++call) {
    SCOPED_TRACE("call " + std::to_string(call) + " of " + std::to_string(calls));
    for (const Fault fault : {Fault::io_error, Fault::short_write, Fault::full_disk}) {
      SCOPED_TRACE("fault " + std::to_string(static_cast<int>(fault)));
      Trial(writing, fault, call).expect_one_of(states, after);
    }
    for (const Loss loss : {Loss::nothing, Loss::unsynced_data, Loss::unsynced_data_and_names}) {
      SCOPED_TRACE("crash with loss " + std::to_string(static_cast<int>(loss)));
      Trial(writing, Fault::crash, call, loss).expect_one_of(states, after);
    }
  }
}

}  // namespace molgauge::test
