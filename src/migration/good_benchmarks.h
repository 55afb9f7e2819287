#pragma once

#include <string>

namespace headroom::migration {

/// Whether the Python project takes a data set of this name from GOOD: good_hiv, GOOD_ZINC and the like.
bool is_good_data_set(const std::string& name);

/// A benchmark of GOOD, which headroom split makes once from the table of the molecules.
struct GoodBenchmark {
  std::string file;     ///< "data/good_hiv_size_covariate.json"
  std::string command;  ///< makes the file unless it is there
  std::string remark;
};

/// `shift`: covariate, concept or no_shift; `folder`: where the table is and the file goes.
GoodBenchmark make_good_benchmark(const std::string& data_set, const std::string& domain,
                                  const std::string& shift, const std::string& folder);

}  // namespace headroom::migration
