#pragma once

#include <filesystem>

namespace headroom::serve {

/// Makes `folder` a work folder of `headroom serve`, private to the user (mode 0700), and marks it with the
/// file headroom-work.json. A marked folder, an absent folder, an empty folder, and the work folder of an
/// earlier version are taken.
///
/// Throws UsageError if the folder holds anything else: a server removes files of its work folder, so it must
/// not contain other data.
void take_work_folder(const std::filesystem::path& folder);

/// Creates a folder of mode 0700, or gives it that mode.
void make_private_folder(const std::filesystem::path& folder);

/// Whether a name is the number of a job: 32 hexadecimal digits.
bool is_job_id(const std::string& name);

/// Removes the folder of a job and the files that Headroom writes there. If it contains other files, they and
/// the folder stay, and a warning is logged.
void remove_job_folder(const std::filesystem::path& folder);

}  // namespace headroom::serve
