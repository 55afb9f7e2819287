#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace molgauge {

// A JSON file that contains its own checksum, which detects changed numbers. The field "checksum" is the
// XXH3-128 of the other fields, written as JSON with sorted keys and without blanks.

/// The checksum of an object's fields except "checksum", 32 hexadecimal digits.
std::string checksum_of_fields(const nlohmann::json& object);

/// Returns the object with its checksum as the last field. Invalid UTF-8 in texts is replaced, as when the
/// object is written to a file.
nlohmann::json sealed(const nlohmann::json& object);
nlohmann::ordered_json sealed(const nlohmann::ordered_json& object);

/// Checks the field "checksum" of an object that was read. Throws InputError if the field is missing or does
/// not match the other fields, which means that the content has changed.
void check_seal(const nlohmann::json& object);

}  // namespace molgauge
