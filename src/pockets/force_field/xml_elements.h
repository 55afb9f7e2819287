#pragma once

#include <functional>
#include <map>
#include <string>

namespace molgauge::pocket {

/// The start tag of an element.
struct XmlElement {
  std::string name;
  std::string parent;  ///< name of the enclosing element; empty for the outermost
  std::map<std::string, std::string> attributes;
  std::size_t line = 0;
};

/// Calls `visit` for each start tag of a file in order. Throws InputError with file and line if the text is
/// not XML, is nested deeper than 100 elements, or declares a document type. If `visit` throws InputError,
/// adds file and line to its text.
void for_each_element(const std::string& file, const std::function<void(const XmlElement&)>& visit);

}  // namespace molgauge::pocket
