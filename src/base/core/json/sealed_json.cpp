#include "base/core/json/sealed_json.h"

#include "base/core/error.h"
#include "base/core/hash.h"
#include "base/core/json/json_reader.h"
#include "base/core/json/json_text.h"
#include "base/core/text/hexadecimal.h"

namespace molgauge {
namespace {

template <typename Json>
Json with_checksum(const Json& object) {
  // Bytes that are not UTF-8 are replaced when the file is written.
  Json written = parse_json<Json>(json_line(object));
  written.erase("checksum");
  written["checksum"] = checksum_of_fields(parse_json<nlohmann::json>(json_line(written)));
  return written;
}

}  // namespace

nlohmann::json sealed(const nlohmann::json& object) { return with_checksum(object); }
nlohmann::ordered_json sealed(const nlohmann::ordered_json& object) { return with_checksum(object); }

std::string checksum_of_fields(const nlohmann::json& object) {
  nlohmann::json fields = object;
  fields.erase("checksum");
  return to_hexadecimal(hash128(fields.dump()));
}

void check_seal(const nlohmann::json& object) {
  const auto found = object.find("checksum");
  if (found == object.end()) {
    throw InputError("is damaged: its checksum is missing");
  }
  if (!found->is_string() || found->get<std::string>() != checksum_of_fields(object)) {
    throw InputError("is damaged: its content has changed since its checksum was written");
  }
}

}  // namespace molgauge
