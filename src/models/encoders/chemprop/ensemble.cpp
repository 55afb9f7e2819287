#include "models/encoders/chemprop/ensemble.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/error.h"
#include "models/encoders/chemprop/checkpoint.h"

namespace headroom::encoders::chemprop {
namespace {

constexpr std::size_t kMaxModels = 1000;

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

}  // namespace

std::vector<std::filesystem::path> checkpoint_files(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) {
    throw InputError(
        fmt::format("{}: no such file or folder. Give a .pt or .ckpt file of chemprop, a folder of "
                    ".pt files, or the "
                    "name of installed models, such as admet-ai (headroom weights install admet-ai)",
                    path.string()));
  }
  if (!std::filesystem::is_directory(path)) {
    return {path};
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (entry.is_regular_file() && entry.path().extension() == ".pt") {
      files.push_back(entry.path());
    }
  }
  if (files.empty() || files.size() > kMaxModels) {
    throw InputError(
        fmt::format("{}: contains {} .pt files, but an ensemble has 1 to {}. Give the folder of the models, "
                    "or one .pt or .ckpt file",
                    path.string(), files.size(), kMaxModels));
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::size_t ModelSet::width() const {
  std::size_t width = 0;
  for (const Ensemble& ensemble : ensembles) {
    width += ensemble.members * ensemble.width();
  }
  return width;
}

ModelSet read_models(const std::filesystem::path& path) {
  ModelSet set;
  set.files = checkpoint_files(path);
  std::vector<std::vector<Model>> members;
  for (const std::filesystem::path& file : set.files) {
    Model model = read_model(file);
    auto found = std::find_if(set.ensembles.begin(), set.ensembles.end(),
                              [&](const Ensemble& ensemble) { return is_member(ensemble, model); });
    if (found == set.ensembles.end()) {
      set.ensembles.push_back({.head = model.head, .tasks = model.tasks});
      members.emplace_back();
      found = set.ensembles.end() - 1;
    }
    ++found->members;
    members[static_cast<std::size_t>(found - set.ensembles.begin())].push_back(std::move(model));
  }
  require_distinct_tasks(path, set.ensembles);
  std::size_t column = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    set.ensembles[i].first_column = column;
    column += set.ensembles[i].members * set.ensembles[i].width();
    std::move(members[i].begin(), members[i].end(), std::back_inserter(set.models));
  }
  return set;
}

}  // namespace headroom::encoders::chemprop
