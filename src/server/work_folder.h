#pragma once

#include <filesystem>

namespace molgauge::serve {

/// Makes `folder` a work folder of `molgauge serve`, private to the user (mode 0700), and marks it with the
/// file molgauge-work.json. Accepts a marked folder, an absent folder and an empty folder.
///
/// Throws UsageError if the folder contains anything else. A server removes files in its work folder, so the
/// folder must not contain other data.
void take_work_folder(const std::filesystem::path& folder);

/// Creates a folder with mode 0700. If the folder exists, sets its mode to 0700.
void make_private_folder(const std::filesystem::path& folder);

/// Whether a name is the ID of a job: 32 hexadecimal digits.
bool is_job_id(const std::string& name);

/// Removes the folder of a job and the files that Molgauge writes there. If it contains other files, they and
/// the folder stay, and a warning is logged.
void remove_job_folder(const std::filesystem::path& folder);

}  // namespace molgauge::serve
