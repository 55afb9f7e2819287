#include "molecules/store/lmdb/map_address.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace molgauge::store {
namespace {

/// One line of /proc/self/maps.
struct MappedPiece {
  std::uintptr_t begin = 0;
  std::uint64_t offset = 0, inode = 0;
  unsigned major = 0, minor = 0;

  bool is_start_of_same_file(const MappedPiece& other) const {
    return offset == 0 && inode == other.inode && major == other.major && minor == other.minor;
  }
};

std::vector<MappedPiece> mapped_pieces() {
  std::vector<MappedPiece> pieces;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    MappedPiece piece;
    const int fields = std::sscanf(line.c_str(), "%" SCNxPTR "-%*x %*s %" SCNx64 " %x:%x %" SCNu64,
                                   &piece.begin, &piece.offset, &piece.major, &piece.minor, &piece.inode);
    if (fields == 5) {
      pieces.push_back(piece);
    }
  }
  return pieces;
}

/// Maps the start of a file a second time, until the object is destroyed.
class Probe {
 public:
  explicit Probe(const std::filesystem::path& file) {
    const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor >= 0) {
      address_ = mmap(nullptr, kBytes, PROT_READ, MAP_SHARED, descriptor, /*offset=*/0);
      close(descriptor);
    }
  }
  ~Probe() {
    if (address_ != MAP_FAILED) {
      munmap(address_, kBytes);
    }
  }
  Probe(const Probe&) = delete;
  Probe& operator=(const Probe&) = delete;

  bool is(const MappedPiece& piece) const {
    return reinterpret_cast<std::uintptr_t>(address_) == piece.begin;
  }

 private:
  static constexpr std::size_t kBytes = 1;  // one byte is sufficient to map a page
  void* address_ = MAP_FAILED;
};

}  // namespace

/// Returns the address of the map of a file. stat() does not always report the device that /proc/self/maps
/// shows, because a file system with volumes or layers can have several devices. The file is therefore mapped
/// a second time. The entry for the second map shows the device.
std::byte* find_map(const std::filesystem::path& file) {
  const Probe probe(file);
  const std::vector<MappedPiece> pieces = mapped_pieces();
  const auto own =
      std::find_if(pieces.begin(), pieces.end(), [&](const auto& piece) { return probe.is(piece); });
  if (own == pieces.end()) {
    return nullptr;
  }
  const auto found = std::find_if(pieces.begin(), pieces.end(), [&](const auto& piece) {
    return !probe.is(piece) && piece.is_start_of_same_file(*own);
  });
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the kernel lists addresses as numbers
  return found == pieces.end() ? nullptr : reinterpret_cast<std::byte*>(found->begin);
}

}  // namespace molgauge::store
