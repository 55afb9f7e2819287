#include "molecules/encoders/chemprop/ensemble.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/core/error.h"
#include "base/core/files/files_below.h"
#include "base/core/text/bytes.h"
#include "base/io/bytes/random_access.h"
#include "molecules/encoders/chemprop/checkpoint.h"

namespace molgauge::encoders::chemprop {
namespace {

constexpr std::size_t kMaxModels = 1000;
/// The bytes of a file are in memory while it is parsed. Checkpoints of chemprop have a few MiB.
constexpr std::uint64_t kLargestFile = std::uint64_t{2} << 30;

bool is_member(const Ensemble& ensemble, const Model& model) {
  return ensemble.tasks == model.tasks && ensemble.head.kind == model.head.kind &&
         ensemble.head.classes == model.head.classes;
}

void require_distinct_tasks(const std::filesystem::path& path, const std::vector<Ensemble>& ensembles) {
  std::set<std::string> names;
  for (const Ensemble& ensemble : ensembles) {
    for (const std::string& task : ensemble.tasks) {
      if (!names.insert(task).second) {
        throw InputError(fmt::format(
            "{}: two models that are not an ensemble predict '{}'. Put the models of each ensemble in a "
            "folder of their own, and predict with one folder at a time",
            path.string(), task));
      }
    }
  }
}

void require_equal_descriptors(const ModelSet& set) {
  for (std::size_t i = 1; i < set.models.size(); ++i) {
    const std::size_t first = set.descriptors(), own = set.models[i].descriptors.count;
    if (own != first) {
      throw InputError(fmt::format(
          "{} takes {} descriptors of a molecule and {} takes {}. Predict with each model by itself",
          set.files[0].string(), first, set.files[i].string(), own));
    }
    if (set.models[i].descriptors.generator != set.models[0].descriptors.generator) {
      throw InputError(
          fmt::format("{} and {} take descriptors of different generators. Predict with each model by itself",
                      set.files[0].string(), set.files[i].string()));
    }
  }
}

}  // namespace

std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw InputError(
        fmt::format("{}: no such file or folder. Give a .pt or .ckpt file of chemprop, a folder of "
                    ".pt files, or the "
                    "name of installed models, such as admet-ai (molgauge weights install admet-ai)",
                    path.string()));
  }
  if (!std::filesystem::is_directory(path)) {
    return {path};
  }
  std::vector<std::filesystem::path> files = files_below(path);
  std::erase_if(files, [](const std::filesystem::path& file) { return file.extension() != ".pt"; });
  if (files.empty() || files.size() > kMaxModels) {
    throw InputError(
        fmt::format("{}: contains {} .pt files, but an ensemble has 1 to {}. Give the folder of the models, "
                    "or one .pt or .ckpt file",
                    path.string(), files.size(), kMaxModels));
  }
  return files;
}

std::size_t ModelSet::width() const {
  std::size_t width = 0;
  for (const Ensemble& ensemble : ensembles) {
    width += ensemble.members * ensemble.width();
  }
  return width;
}

std::vector<CheckpointFile> read_files(const std::filesystem::path& path) {
  std::vector<CheckpointFile> files;
  for (const std::filesystem::path& file : checkpoint_files(path)) {
    const auto opened = io::open_random_access(file);
    if (opened->size() > kLargestFile) {
      throw InputError(
          fmt::format("{}: has {}, more than the {} of the largest model that is read. Give a "
                      ".pt or .ckpt file of chemprop",
                      file.string(), format_bytes(opened->size()), format_bytes(kLargestFile)));
    }
    CheckpointFile& read = files.emplace_back();
    read.path = file;
    read.bytes = opened->read(0, opened->size());
  }
  return files;
}

ModelSet read_models(const std::filesystem::path& path) { return parse_models(read_files(path), path); }

ModelSet parse_models(std::vector<CheckpointFile> files, const std::filesystem::path& path) {
  ModelSet set;
  std::vector<std::vector<Model>> members;
  std::vector<std::vector<std::filesystem::path>> member_files;
  for (CheckpointFile& file : files) {
    Model model = read_model(io::random_access_in_memory(file.path.string(), std::move(file.bytes)));
    set.sha256.push_back(std::move(file.sha256));
    auto found = std::find_if(set.ensembles.begin(), set.ensembles.end(),
                              [&](const Ensemble& ensemble) { return is_member(ensemble, model); });
    if (found == set.ensembles.end()) {
      set.ensembles.push_back({.head = model.head, .tasks = model.tasks});
      members.emplace_back();
      member_files.emplace_back();
      found = set.ensembles.end() - 1;
    }
    ++found->members;
    const auto place = static_cast<std::size_t>(found - set.ensembles.begin());
    members[place].push_back(std::move(model));
    member_files[place].push_back(std::move(file.path));
  }
  require_distinct_tasks(path, set.ensembles);
  std::size_t column = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    set.ensembles[i].first_column = column;
    column += set.ensembles[i].members * set.ensembles[i].width();
    std::move(members[i].begin(), members[i].end(), std::back_inserter(set.models));
    std::move(member_files[i].begin(), member_files[i].end(), std::back_inserter(set.files));
  }
  require_equal_descriptors(set);
  return set;
}

}  // namespace molgauge::encoders::chemprop
