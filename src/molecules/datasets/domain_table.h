#pragma once

#include <cstddef>
#include <map>
#include <vector>

namespace molgauge::datasets {

/// The domain of each molecule. Domains are numbered from 0 without gaps.
struct DomainTable {
  std::vector<std::size_t> domain_of_row;
  std::size_t count = 0;  ///< number of domains
};

/// Domains numbered by ascending value, as GOOD numbers them. Texts are compared byte by byte. For UTF-8,
/// this gives the same order as in Python.
template <typename Value>
DomainTable domains_by_value(const std::vector<Value>& value_of_row) {
  std::map<Value, std::size_t> ids;
  for (const auto& value : value_of_row) {
    ids.emplace(value, 0);
  }
  std::size_t next = 0;
  for (auto& entry : ids) {
    entry.second = next++;
  }
  DomainTable table{.domain_of_row = {}, .count = ids.size()};
  table.domain_of_row.reserve(value_of_row.size());
  for (const auto& value : value_of_row) {
    table.domain_of_row.push_back(ids.at(value));
  }
  return table;
}

/// Domains numbered in the order in which they appear, as DrugOOD numbers them.
template <typename Value>
DomainTable domains_by_appearance(const std::vector<Value>& value_of_row) {
  std::map<Value, std::size_t> ids;
  DomainTable table;
  table.domain_of_row.reserve(value_of_row.size());
  for (const auto& value : value_of_row) {
    table.domain_of_row.push_back(ids.emplace(value, ids.size()).first->second);
  }
  table.count = ids.size();
  return table;
}

}  // namespace molgauge::datasets
