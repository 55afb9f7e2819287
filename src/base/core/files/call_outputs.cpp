#include "base/core/files/call_outputs.h"

#include <mutex>
#include <utility>

#include "base/core/error.h"

namespace molgauge {
namespace {

struct Outputs {
  std::mutex mutex;
  std::vector<CallOutput> files;
};

Outputs& outputs_of_the_process() {
  static Outputs outputs;
  return outputs;
}

}  // namespace

void set_call_outputs(std::vector<CallOutput> outputs) {
  Outputs& all = outputs_of_the_process();
  const std::lock_guard lock(all.mutex);
  all.files = std::move(outputs);
}

void require_no_output(const std::filesystem::path& file, const std::string& reader) {
  Outputs& all = outputs_of_the_process();
  const std::lock_guard lock(all.mutex);
  if (all.files.empty()) {
    return;
  }
  const PathIdentity read(file);
  for (const CallOutput& output : all.files) {
    if (output.file.is_same(read)) {
      throw UsageError(output.option + ": would replace " + file.string() + ", which is read as " + reader +
                       ". Name another file");
    }
  }
}

}  // namespace molgauge
