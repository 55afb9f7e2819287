// Preload this with LD_PRELOAD. It simulates another program that writes to a file while a command reads it:
// before the call number MOLGAUGE_CHANGE_AT that opens the file MOLGAUGE_CHANGED_FILE, the file gets the
// content of MOLGAUGE_CHANGED_TO, and a file with this name and the ending .done is written. If
// MOLGAUGE_CHANGE_IN_PLACE is set, the file is overwritten. Otherwise, it is replaced.

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <dlfcn.h>
#include <fcntl.h>

namespace {

thread_local bool is_changing = false;

void change_at(const char* path) {
  static std::atomic<int> opens = 0;
  const char* const changed = std::getenv("MOLGAUGE_CHANGED_FILE");
  if (is_changing || changed == nullptr || std::string(path) != changed ||
      ++opens != std::atoi(std::getenv("MOLGAUGE_CHANGE_AT"))) {
    return;
  }
  is_changing = true;
  const std::string to = std::getenv("MOLGAUGE_CHANGED_TO"), copy = to + ".copy";
  if (std::getenv("MOLGAUGE_CHANGE_IN_PLACE") != nullptr) {
    std::ofstream(changed, std::ios::binary | std::ios::trunc) << std::ifstream(to, std::ios::binary).rdbuf();
  } else {
    std::filesystem::copy_file(to, copy, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::rename(copy, changed);
  }
  std::ofstream(to + ".done").put('x');
  is_changing = false;
}

template <typename Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

using Open = int (*)(const char*, int, ...);
using OpenStream = std::FILE* (*)(const char*, const char*);

mode_t mode_in(int flags, std::va_list words) {
  return (flags & O_CREAT) != 0 ? static_cast<mode_t>(va_arg(words, int)) : 0;
}

}  // namespace

extern "C" int open(const char* path, int flags, ...) {
  std::va_list words;
  va_start(words, flags);
  const mode_t mode = mode_in(flags, words);
  va_end(words);
  change_at(path);
  return real<Open>("open")(path, flags, mode);
}

extern "C" int open64(const char* path, int flags, ...) {
  std::va_list words;
  va_start(words, flags);
  const mode_t mode = mode_in(flags, words);
  va_end(words);
  change_at(path);
  return real<Open>("open64")(path, flags, mode);
}

extern "C" std::FILE* fopen(const char* path, const char* mode) {
  change_at(path);
  return real<OpenStream>("fopen")(path, mode);
}

extern "C" std::FILE* fopen64(const char* path, const char* mode) {
  change_at(path);
  return real<OpenStream>("fopen64")(path, mode);
}
