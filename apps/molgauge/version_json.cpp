#include "version_json.h"

#include <nlohmann/json.hpp>

#include "base/command_line/engine_loader.h"
#include "base/core/json/json_text.h"
#include "library_versions.h"
#include "molgauge/molgauge.h"

namespace molgauge::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FormatVersions {
  const char* name;
  int oldest_read;  ///< 0 means that Molgauge only writes the format
  int newest_read;
  int written;
};

/// The supported versions of the file formats. tests/formats/ reads a file of each version.
/// docs/reference/versions.md says when a version is increased.
constexpr FormatVersions kFormats[] = {
    {"allocation trace", 1, 1, 1},   {"baseline classifier", 1, 1, 1},
    {"baseline detector", 1, 1, 1},  {"checksums", 1, 1, 1},
    {"energy head", 1, 1, 1},        {"feature store", 1, 1, 1},
    {"memory explanation", 0, 0, 1}, {"pocket encoder", 1, 1, 1},
    {"pocket graphs", 2, 2, 2},      {"run configuration", 1, 1, 1},
    {"saved domain", 3, 3, 3},       {"shard", 1, 1, 1},
    {"trained molecules", 1, 1, 1},  {"training checkpoint", 1, 1, 1},
    {"validation scores", 1, 1, 1},  {"weights", 1, 1, 1},
};

Json formats_json() {
  Json formats = Json::object();
  for (const FormatVersions& format : kFormats) {
    Json read = Json::array();
    for (int version = format.oldest_read; version > 0 && version <= format.newest_read; ++version) {
      read.push_back(version);
    }
    formats[format.name] = {{"reads", read}, {"writes", format.written}};
  }
  return formats;
}

}  // namespace

std::string version_json() {
  Json libraries = Json::object();
  for (const LibraryVersion& library : kLibraryVersions) {
    libraries[library.name] = library.version;
  }
  return json_text(Json{{"molgauge", MOLGAUGE_VERSION},
                        {"c_api", MOLGAUGE_API_VERSION},
                        {"instruction_set", instruction_set()},
                        {"built_with", libraries},
                        {"formats", formats_json()}});
}

}  // namespace molgauge::cli
