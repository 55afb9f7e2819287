#pragma once

#include <filesystem>

namespace headroom::serve {

/// Makes `folder` a work folder of `headroom serve`, private to the user (mode 0700), and marks it with the
/// file headroom-work.json. A marked folder, an absent folder, an empty folder, and the work folder of an
/// earlier version are taken.
///
/// Throws UsageError if the folder holds anything else: its files are somebody's, and a server removes files
/// of its work folder.
void take_work_folder(const std::filesystem::path& folder);

/// Creates a folder of mode 0700, or gives it that mode.
void make_private_folder(const std::filesystem::path& folder);

/// Whether a name is the number of a job: 32 hexadecimal digits.
bool is_job_id(const std::string& name);

/// Removes a job's folder and the files that Headroom writes there. Other files stay, and the folder with
/// them; then the log says so.
void remove_job_folder(const std::filesystem::path& folder);

}  // namespace headroom::serve
