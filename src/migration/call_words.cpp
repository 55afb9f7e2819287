#include "migration/call_words.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "migration/shell_words.h"

namespace headroom::migration {
namespace {

constexpr std::array<std::string_view, 11> kPrograms = {"main.py",
                                                        "main_generalization.py",
                                                        "prediction.py",
                                                        "baselines.py",
                                                        "run_ablation_study.py",
                                                        "run_experiments.sh",
                                                        "run_ablation.sh",
                                                        "run_baselines.sh",
                                                        "run_good_experiments.sh",
                                                        "run_cross_dataset_experiments.sh",
                                                        "run_finetune_comparison.sh"};

}  // namespace

std::string without_folders(const std::string& word) {
  const auto slash = word.rfind('/');
  return slash == std::string::npos ? word : word.substr(slash + 1);
}

bool is_program(const std::string& word) {
  return std::ranges::find(kPrograms, without_folders(word)) != kPrograms.end();
}

bool is_interpreter(const std::string& word) {
  const std::string name = lower(without_folders(word));
  const bool is_variable = word.starts_with('$') || word.starts_with('{');
  return name.starts_with("python") || name == "bash" || name == "sh" || name == "sys.executable" ||
         name == "{sys.executable}" || (is_variable && name.find("py") != std::string::npos);
}

CallWords find_call(const std::vector<std::string>& words) {
  const auto program = static_cast<std::size_t>(std::ranges::find_if(words, is_program) - words.begin());
  if (program == words.size() || program == 0) {
    return {program, program};
  }
  for (std::size_t i = program; i-- > 0;) {
    if (is_interpreter(words[i])) {
      return {i, program};
    }
  }
  // A script that is executed by its name, behind words of the shell or of a command such as nohup.
  const bool is_path = words[program].find('/') != std::string::npos;
  return is_path && words[program].ends_with(".sh") ? CallWords{program, program}
                                                    : CallWords{words.size(), words.size()};
}

void find_mentions(std::string_view text, std::size_t begin, std::size_t end,
                   std::vector<Mention>& mentions) {
  constexpr std::string_view kGaps = " \t\r\n\"'\\";
  std::size_t interpreter = end;  // where the call would begin; `end`: there is no interpreter
  for (std::size_t at = begin; at < end;) {
    if (kGaps.find(text[at]) != std::string_view::npos) {
      ++at;
      continue;
    }
    const std::size_t stop = std::min(text.find_first_of(kGaps, at), end);
    const std::string token(text.substr(at, stop - at));
    if (is_interpreter(token)) {
      interpreter = at;
    } else if (is_program(token) && (interpreter < end || token.starts_with("./"))) {
      mentions.push_back({interpreter < end ? interpreter : at, stop, without_folders(token)});
      interpreter = end;
    } else if (!token.starts_with('-')) {
      interpreter = end;
    }
    at = stop;
  }
}

}  // namespace headroom::migration
