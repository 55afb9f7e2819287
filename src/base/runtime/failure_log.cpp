#include "base/runtime/failure_log.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <queue>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "base/core/error.h"
#include "base/core/files/home.h"

namespace molgauge::pipeline {
namespace {

constexpr std::size_t kKeptInMemory = std::size_t{1} << 20, kGivenAtOnce = std::size_t{1} << 20;

/// The part of an entry that has a fixed size. In the file, the text and the reason come after this part.
struct Entry {
  std::uint64_t row = 0, line = 0;
  std::uint32_t file = 0, text_bytes = 0, reason_bytes = 0, unused = 0;
  std::uint64_t bytes() const { return sizeof(Entry) + text_bytes + reason_bytes; }
};

[[noreturn]] void refuse(const std::filesystem::path& folder, const char* verb) {
  throw system_error(folder.string() + ": a temporary file for the records that failed", verb, errno);
}

/// Opens a file without a name. The system removes it when it is closed.
int open_temporary(const std::filesystem::path& folder) {
#ifdef O_TMPFILE
  if (const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); descriptor >= 0) {
    return descriptor;
  }
#endif
  // Some file systems do not support files without a name.
  std::string name = (folder / "failed-records-XXXXXX").string();
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) {
    refuse(folder, "make");
  }
  unlink(name.c_str());
  return descriptor;
}

}  // namespace

/// A byte sequence. The last bytes are in memory, and earlier bytes are in a file.
class FailureLog::Spool {
 public:
  explicit Spool(std::filesystem::path folder)
      : folder_(folder.empty() ? temporary_folder() : std::move(folder)) {}
  ~Spool() {
    if (descriptor_ >= 0) {
      close(descriptor_);
    }
  }
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  void append(const void* bytes, std::size_t count) {
    recent_.append(static_cast<const char*>(bytes), count);
    if (recent_.size() >= kKeptInMemory) {
      flush();
    }
  }

  void read(std::uint64_t place, void* to, std::size_t count) const {
    auto* bytes = static_cast<char*>(to);
    while (count > 0 && place < in_file_) {
      const std::size_t part = std::min<std::uint64_t>(count, in_file_ - place);
      const ssize_t got = pread(descriptor_, bytes, part, static_cast<off_t>(place));
      if (got <= 0) {
        refuse(folder_, "read");
      }
      bytes += got;
      place += static_cast<std::uint64_t>(got);
      count -= static_cast<std::size_t>(got);
    }
    if (count > 0) {
      std::memcpy(bytes, recent_.data() + (place - in_file_), count);
    }
  }

 private:
  void flush() {
    if (descriptor_ < 0) {
      descriptor_ = open_temporary(folder_);
    }
    for (std::size_t done = 0; done < recent_.size();) {
      const ssize_t written = pwrite(descriptor_, recent_.data() + done, recent_.size() - done,
                                     static_cast<off_t>(in_file_ + done));
      if (written <= 0) {
        refuse(folder_, "write");
      }
      done += static_cast<std::size_t>(written);
    }
    in_file_ += recent_.size();
    recent_.clear();
  }

  std::filesystem::path folder_;
  int descriptor_ = -1;
  std::uint64_t in_file_ = 0;
  std::string recent_;
};

FailureLog::FailureLog(std::filesystem::path scratch, Order order)
    : spool_(std::make_unique<Spool>(std::move(scratch))), order_(order) {}
FailureLog::~FailureLog() = default;
FailureLog::FailureLog(FailureLog&&) noexcept = default;
FailureLog& FailureLog::operator=(FailureLog&&) noexcept = default;

void FailureLog::append(const FailedMolecule& failed) {
  auto file = std::find(files_.begin(), files_.end(), failed.file);
  if (file == files_.end()) {
    file = files_.insert(files_.end(), failed.file);
  }
  Entry entry;
  entry.row = failed.row;
  entry.line = failed.line;
  entry.file = static_cast<std::uint32_t>(file - files_.begin());
  entry.text_bytes = static_cast<std::uint32_t>(failed.text.size());
  entry.reason_bytes = static_cast<std::uint32_t>(failed.reason.size());
  spool_->append(&entry, sizeof(entry));
  spool_->append(failed.text.data(), failed.text.size());
  spool_->append(failed.reason.data(), failed.reason.size());
  ++size_;
  // For Order::as_appended, the number of entries so far serves as the row. The entries therefore keep the
  // order in which they were appended.
  const std::size_t row = order_ == Order::by_row ? failed.row : size_;
  highest_row_ = std::max(highest_row_, row);
  widest_gap_ = std::max(widest_gap_, highest_row_ - row);
}

void FailureLog::append_all(const std::vector<FailedMolecule>& failed) {
  for (const FailedMolecule& molecule : failed) {
    append(molecule);
  }
}

FailedMolecule FailureLog::read(std::uint64_t place) const {
  Entry entry;
  spool_->read(place, &entry, sizeof(entry));
  FailedMolecule failed{.row = entry.row,
                        .line = entry.line,
                        .file = files_[entry.file],
                        .text = std::string(entry.text_bytes, '\0'),
                        .reason = std::string(entry.reason_bytes, '\0')};
  spool_->read(place + sizeof(entry), failed.text.data(), failed.text.size());
  spool_->read(place + sizeof(entry) + failed.text.size(), failed.reason.data(), failed.reason.size());
  return failed;
}

void FailureLog::for_each(const std::function<bool(FailedMolecule&&)>& visit) const {
  // Sorts the entries by row in a priority queue. Entries are stored almost in order: no entry has a row that
  // is lower than an earlier row by more than widest_gap_. Once the highest row so far exceeds the lowest
  // waiting row by more than widest_gap_, no lower row can follow. The lowest waiting entry can then be
  // visited.
  using RowAndPlace = std::pair<std::uint64_t, std::uint64_t>;
  std::priority_queue<RowAndPlace, std::vector<RowAndPlace>, std::greater<>> waiting;
  std::uint64_t highest = 0, place = 0;
  for (std::size_t read_so_far = 0; read_so_far < size_ || !waiting.empty();) {
    if (!waiting.empty() && (read_so_far == size_ || waiting.top().first + widest_gap_ < highest)) {
      const std::uint64_t next = waiting.top().second;
      waiting.pop();
      if (!visit(read(next))) {
        return;
      }
      continue;
    }
    Entry entry;
    spool_->read(place, &entry, sizeof(entry));
    const std::uint64_t row = order_ == Order::by_row ? entry.row : read_so_far;
    waiting.emplace(row, place);
    highest = std::max(highest, row);
    place += entry.bytes();
    ++read_so_far;
  }
}

std::vector<FailedMolecule> FailureLog::first(std::size_t count) const {
  std::vector<FailedMolecule> found;
  std::size_t bytes = 0;
  for_each([&](FailedMolecule&& failed) {
    bytes += failed.text.size() + failed.reason.size();
    if (found.size() < count && (found.empty() || bytes <= kGivenAtOnce)) {
      found.push_back(std::move(failed));
    }
    return found.size() < count && bytes < kGivenAtOnce;
  });
  return found;
}

std::vector<FailedMolecule> FailureLog::all() const {
  std::vector<FailedMolecule> found;
  found.reserve(size_);
  for_each([&](FailedMolecule&& failed) {
    found.push_back(std::move(failed));
    return true;
  });
  return found;
}

}  // namespace molgauge::pipeline
