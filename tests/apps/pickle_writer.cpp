#include "pickle_writer.h"

#include <cstring>

namespace molgauge::test {
namespace {

using namespace std::string_literals;

std::string number(std::size_t value) {
  std::string bytes(4, '\0');
  std::memcpy(bytes.data(), &value, bytes.size());
  return bytes;
}

std::string text(const std::string& value) { return "X" + number(value.size()) + value; }

std::string array(const std::vector<float>& row) {
  std::string bytes(row.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), row.data(), bytes.size());
  return "cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\0\x85"s + "C\1b\x87R(K\1J" +
         number(row.size()) + "\x85"s +
         "cnumpy\ndtype\nX\2\0\0\0f4K\0K\1\x87R(K\3X\1\0\0\0<NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\0tb\x89"s +
         "B" + number(bytes.size()) + bytes + "tb";
}

}  // namespace

std::string feature_cache(const std::map<std::string, std::vector<float>>& rows) {
  std::string pickle = "\x80\3}(" + text("features") + "}(";
  for (const auto& [smiles, row] : rows) {
    pickle += text(smiles) + array(row);
  }
  return pickle + "u" + text("foundation_model") + text("minimol") + text("dataset_name") + text("drugood") +
         text("drugood_subset") + "Nu.";
}

}  // namespace molgauge::test
