// Trains into the folder that the argument names. Each step takes a few milliseconds.
// killed_training_test.cpp runs this program.

#include <chrono>
#include <thread>

#include "base/core/session/log.h"
#include "training_fixture.h"

int main(int count, char** arguments) {
  if (count != 2) {
    return 2;
  }
  molgauge::set_log_level(molgauge::LogLevel::off);
  molgauge::ood::TrainingHooks hooks;
  hooks.after_step = [](std::size_t) { std::this_thread::sleep_for(std::chrono::milliseconds(15)); };
  molgauge::ood::train_energy_head(molgauge::test::training_data(), molgauge::test::long_options(),
                                   arguments[1], hooks);
}
