#pragma once

#include <string_view>
#include <vector>

namespace molgauge::serve {

/// A file of src/server/page/, which the build embeds in the program.
struct Resource {
  std::string_view name, content;
};
const std::vector<Resource>& resources();

/// Returns null if there is no file with this name.
const Resource* find_resource(std::string_view name);

/// Returns the content type for the extension of the name, such as "text/javascript; charset=utf-8".
std::string_view content_type_of(std::string_view name);

}  // namespace molgauge::serve
