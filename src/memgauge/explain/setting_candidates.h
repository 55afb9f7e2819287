#pragma once

#include <string>
#include <vector>

#include "memgauge/recordings/recording.h"

namespace molgauge::allocator {

/// Allocator settings that may help a recorded program.
struct SettingCandidate {
  std::string settings;           ///< the settings to simulate
  std::string change;             ///< the variable to set, and a function to call if the setting needs one
  std::string remark;             ///< the first version of PyTorch with this setting, and the limits of the
                                  ///< setting
  bool is_share_of_card = false;  ///< the effect depends on the total memory of the card
};

/// Returns the settings of the program, each with one key replaced or added. Leaves out settings that the
/// program already has, that PyTorch ignores or refuses in this combination, or that the platform does not
/// support.
std::vector<SettingCandidate> setting_candidates(const Recording& recording, const std::string& settings);

/// Returns the reason why settings were left out on this platform, or an empty text if no setting was left
/// out.
std::string settings_left_out(const Recording& recording);

}  // namespace molgauge::allocator
