#pragma once

#include <cstdint>

#include "base/numerics/torch/cuda/lanes.h"

/// The attention of Uni-Mol in training, as GPU steps (launch_steps.h). A step is one head of one token.
/// Everything is float32. base/numerics/ops/training/attention_kernels.h has the formulas and the CPU
/// version.
namespace molgauge::torch::cuda {

/// Concatenated molecules without padding. All tokens attend, or only the first token of each molecule.
struct AttentionCourse {
  const float* joint;              ///< [n, 3, depth, heads] queries, keys and values
  const std::int64_t* first;       ///< [molecules + 1] first token of a molecule
  const std::int64_t* of;          ///< [n] the molecule of a token
  const std::int64_t* first_pair;  ///< [molecules] first pair of a molecule
  const std::int64_t*
      first_logit;            ///< [molecules] position of a molecule in the stored logits of the queries
  const std::int64_t* keys;   ///< [molecules] keys of the dropout. If null, there is no dropout
  ops::KeyedFactors dropout;  ///< threshold and factor of the dropout. Each query uses a copy with its own
                              ///< key
  std::int64_t heads;
  bool first_only;
  float scale;
};

/// A token that attends. `row`: its index among the queries of all molecules.
struct Query {
  std::int64_t row, molecule, begin, tokens;  ///< `begin`: the first token of the molecule
  std::int64_t number;                        ///< index of the token in its molecule
  ops::KeyedFactors dropout;                  ///< dropout of the weights [tokens, heads] of the query

  MOLGAUGE_EVERYWHERE Query(const AttentionCourse& course, std::int64_t row_of_query)
      : Query(course, row_of_query, course.first_only ? row_of_query : course.of[row_of_query]) {}
  MOLGAUGE_EVERYWHERE Query(const AttentionCourse& course, std::int64_t row_of_query, std::int64_t of)
      : row(row_of_query),
        molecule(of),
        begin(course.first[of]),
        tokens(course.first[of + 1] - begin),
        number(course.first_only ? 0 : row - begin),
        dropout(course.dropout) {
    if (course.keys != nullptr) {
      dropout.key = ops::keyed_number(static_cast<std::uint64_t>(course.keys[molecule]),
                                      static_cast<std::uint64_t>(number));
    }
  }
  MOLGAUGE_EVERYWHERE float factor(std::int64_t key, std::int64_t head, std::int64_t heads) const {
    return dropout[static_cast<std::uint64_t>(key * heads + head)];
  }
  /// Returns the position of a logit in an array: the logit of this query and key `key` for head 0. `first`:
  /// the index of the first pair of the molecule in that array.
  MOLGAUGE_EVERYWHERE std::int64_t place(std::int64_t first, std::int64_t key, std::int64_t heads) const {
    return (first + number * tokens + key) * heads;
  }
};

/// The attention of one query and head.
template <int kDepth>
struct Attend {
  AttentionCourse course;
  const float* before;  ///< [P, heads]
  float* logits;        ///< [pairs of the queries, heads]
  float* out;           ///< [queries, depth, heads]

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const std::int64_t heads = course.heads, head = i % heads;
    const Query query(course, i / heads);
    const MoleculeView<float> view{course.joint + query.begin * 3 * kDepth * heads,
                                   before + course.first_pair[query.molecule] * heads,
                                   logits + course.first_logit[query.molecule] * heads,
                                   query.tokens,
                                   heads,
                                   course.scale};
    AttentionOutput<kDepth> whole = attend_part<kDepth>(view, query.number, head, 0, query.dropout);
    for (int part = 1; part < kKeyParts; ++part) {
      whole.join(attend_part<kDepth>(view, query.number, head, part, query.dropout));
    }
    write_attended(whole, query.row, head, heads, out);
  }
};

/// Inputs and outputs that the two backward steps share.
template <int kDepth>
struct AttentionGradients {
  AttentionCourse course;
  const float* logits;  ///< logits that Attend has written
  const float* of_out;  ///< [queries, depth, heads] gradients of the output
  float* highest;       ///< [queries, heads] the highest logit
  float* total;         ///< [queries, heads] the sum of exp(logit - highest)
  float* of_logits;     ///< [P, heads] result: gradients of the logits
  float* of_joint;      ///< [n, 3, depth, heads] result: gradients of `joint`

  MOLGAUGE_EVERYWHERE const float* part(std::int64_t token, int which) const {
    return course.joint + (token * 3 + which) * kDepth * course.heads;
  }
  MOLGAUGE_EVERYWHERE float* gradients(std::int64_t token, int which) const {
    return of_joint + (token * 3 + which) * kDepth * course.heads;
  }
  MOLGAUGE_EVERYWHERE float weight(const Query& query, std::int64_t key, std::int64_t head) const {
    const std::int64_t stated = query.row * course.heads + head;
    const float logit = logits[query.place(course.first_logit[query.molecule], key, course.heads) + head];
    return expf(logit - highest[stated]) / total[stated];
  }
  /// The gradient of a weight before the dropout.
  MOLGAUGE_EVERYWHERE float of_weight(const Query& query, std::int64_t key, std::int64_t head) const {
    const float* const own = of_out + query.row * kDepth * course.heads + head;
    const float* const value = part(query.begin + key, 2) + head;
    float sum = 0;
    for (int d = 0; d < kDepth; ++d) {
      sum += own[d * course.heads] * value[d * course.heads];
    }
    return sum * query.factor(key, head, course.heads);
  }
};

/// The first backward step, for one query and head. Computes `highest`, `total`, the gradients of the logits,
/// and the gradient of the query.
template <int kDepth>
struct QueryGradients {
  AttentionGradients<kDepth> all;
  const float* later;  ///< [P, heads] gradients of the logits from later layers, or null

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const AttentionCourse& course = all.course;
    const std::int64_t heads = course.heads, head = i % heads;
    const Query query(course, i / heads);
    const float* const logits = all.logits + query.place(course.first_logit[query.molecule], 0, heads) + head;
    float highest = -INFINITY, total = 0, mean = 0;
    for (std::int64_t key = 0; key < query.tokens; ++key) {
      highest = fmaxf(highest, logits[key * heads]);
    }
    for (std::int64_t key = 0; key < query.tokens; ++key) {
      total += expf(logits[key * heads] - highest);
    }
    all.highest[i] = highest;
    all.total[i] = total;
    for (std::int64_t key = 0; key < query.tokens; ++key) {
      mean += all.weight(query, key, head) * all.of_weight(query, key, head);
    }
    const std::int64_t pairs = query.place(course.first_pair[query.molecule], 0, heads) + head;
    float gradients[kDepth] = {};
    for (std::int64_t key = 0; key < query.tokens; ++key) {
      float slope = all.weight(query, key, head) * (all.of_weight(query, key, head) - mean);
      if (later != nullptr) {
        slope += later[pairs + key * heads];
      }
      all.of_logits[pairs + key * heads] = slope;
      const float* const numbers = all.part(query.begin + key, 1) + head;
      for (int d = 0; d < kDepth; ++d) {
        gradients[d] += course.scale * slope * numbers[d * heads];
      }
    }
    float* const of_query = all.gradients(query.begin + query.number, 0) + head;
    for (int d = 0; d < kDepth; ++d) {
      of_query[d * heads] = gradients[d];
    }
  }
};

/// The second backward step, for one token and head. Runs after QueryGradients of all queries. Computes the
/// gradients of the key and of the value.
template <int kDepth>
struct KeyGradients {
  AttentionGradients<kDepth> all;

  MOLGAUGE_EVERYWHERE void operator()(std::int64_t i) const {
    const AttentionCourse& course = all.course;
    const std::int64_t heads = course.heads, head = i % heads, token = i / heads;
    const std::int64_t molecule = course.of[token], begin = course.first[molecule], key = token - begin;
    const std::int64_t first = course.first_only ? molecule : begin;
    const std::int64_t queries = course.first_only ? 1 : course.first[molecule + 1] - begin;
    float of_key[kDepth] = {}, of_value[kDepth] = {};
    for (std::int64_t row = first; row < first + queries; ++row) {
      const Query query(course, row, molecule);
      const float slope =
          course.scale * all.of_logits[query.place(course.first_pair[molecule], key, heads) + head];
      const float weight = all.weight(query, key, head) * query.factor(key, head, heads);
      const float* const numbers = all.part(begin + query.number, 0) + head;
      const float* const own = all.of_out + row * kDepth * heads + head;
      for (int d = 0; d < kDepth; ++d) {
        of_key[d] += slope * numbers[d * heads];
        of_value[d] += weight * own[d * heads];
      }
    }
    float *const to_key = all.gradients(token, 1) + head, *const to_value = all.gradients(token, 2) + head;
    for (int d = 0; d < kDepth; ++d) {
      to_key[d * heads] = of_key[d];
      to_value[d * heads] = of_value[d];
    }
  }
};

}  // namespace molgauge::torch::cuda
