#include "base/numerics/torch/pair_attention.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/numerics/ops/training/attention_kernels.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

using ::torch::autograd::AutogradContext;
using Tensors = ::torch::autograd::variable_list;

/// Arguments of attend() other than tensors with gradients.
struct Course {
  Segments molecules;
  std::int64_t heads = 0;
  bool first_only = false;
  KeyedDropout dropout;
};

/// The attention of one molecule, and the positions of its data in the tensors of the batch.
struct Part {
  ops::AttentionInTraining attention;
  std::int64_t first_token = 0, first_pair = 0, first_query = 0;
  std::int64_t first_logit = 0;  ///< position of the first logit in the stored logits of the queries
};

template <typename Visit>
void for_each_molecule(const Course& course, const at::Tensor& joint, const Visit& visit) {
  const std::int64_t depth = joint.size(1) / 3 / course.heads;
  const auto* const first = read_numbers<std::int64_t>(course.molecules.first);
  Part part;
  for (std::int64_t molecule = 0; molecule < course.molecules.count(); ++molecule) {
    const std::int64_t tokens = first[molecule + 1] - first[molecule];
    part.first_token = first[molecule];
    part.attention = {.joint = read_numbers<float>(joint) + part.first_token * joint.size(1),
                      .tokens = tokens,
                      .heads = course.heads,
                      .depth = depth,
                      .queries = course.first_only ? std::min<std::int64_t>(tokens, 1) : tokens,
                      .scale = 1 / std::sqrt(static_cast<float>(depth)),
                      .dropout = course.dropout.is_active() ? course.dropout.probability : 0,
                      .key = course.dropout.is_active() ? course.dropout.key_of(molecule) : 0};
    visit(std::as_const(part));
    part.first_pair += tokens * tokens;
    part.first_query += part.attention.queries;
    part.first_logit += part.attention.queries * tokens;
  }
}

/// The number of logits of all queries. If only first tokens attend, there is one logit for each token.
/// Otherwise, there is one for each pair.
std::int64_t count_logits(const Course& course, const at::Tensor& joint, const at::Tensor& logits) {
  return course.first_only ? joint.size(0) : logits.size(0);
}

float* numbers_at(const at::Tensor& rows, std::int64_t row) {
  return write_numbers<float>(rows) + row * rows.size(1);
}

class Attention : public ::torch::autograd::Function<Attention> {
 public:
  static Tensors forward(AutogradContext* context, const at::Tensor& joint, const at::Tensor& before,
                         const Course& course) {
    const std::int64_t width = joint.size(1) / 3;
    const at::Tensor logits = at::empty({count_logits(course, joint, before), course.heads}, joint.options());
    const at::Tensor out =
        at::empty({course.first_only ? course.molecules.count() : joint.size(0), width}, joint.options());
    std::vector<float> scratch;
    for_each_molecule(course, joint, [&](const Part& part) {
      scratch.resize(std::max(scratch.size(), part.attention.scratch_numbers()));
      ops::attend(part.attention, numbers_at(before, part.first_pair), numbers_at(logits, part.first_logit),
                  numbers_at(out, part.first_query), scratch.data());
    });
    context->save_for_backward(
        {joint, logits, course.molecules.first, course.molecules.of, course.dropout.keys});
    context->saved_data["heads"] = course.heads;
    context->saved_data["first_only"] = course.first_only;
    context->saved_data["probability"] = course.dropout.probability;
    context->saved_data["place"] = course.dropout.place;
    context->saved_data["pairs"] = before.size(0);
    context->saved_data["before_needs_gradient"] = before.requires_grad();
    return course.first_only ? Tensors{out} : Tensors{out, logits};
  }

  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const at::Tensor &joint = saved[0], &logits = saved[1];
    const Course course{
        .molecules = {saved[2], saved[3]},
        .heads = context->saved_data["heads"].toInt(),
        .first_only = context->saved_data["first_only"].toBool(),
        .dropout = {saved[4], context->saved_data["probability"].toDouble(),
                    context->saved_data["place"].toInt()},
    };
    const at::Tensor of_out = gradients[0].contiguous();
    const at::Tensor of_joint = at::zeros_like(joint);
    // At first, these are the gradients from later layers. The loop below replaces them by the gradients of
    // the logits of this layer.
    const at::Tensor of_logits = !course.first_only && gradients[1].defined()
                                     ? gradients[1].clone(at::MemoryFormat::Contiguous)
                                     : at::zeros_like(logits);
    std::vector<float> scratch;
    for_each_molecule(course, joint, [&](const Part& part) {
      scratch.resize(std::max(scratch.size(), part.attention.scratch_numbers()));
      ops::attend_backward(part.attention, numbers_at(logits, part.first_logit),
                           numbers_at(of_out, part.first_query), numbers_at(of_logits, part.first_logit),
                           numbers_at(of_joint, part.first_token), scratch.data());
    });
    at::Tensor of_before;
    if (context->saved_data["before_needs_gradient"].toBool()) {
      of_before = course.first_only ? spread(course, joint, of_logits, context->saved_data["pairs"].toInt())
                                    : of_logits;
    }
    return {of_joint, of_before, at::Tensor()};
  }

 private:
  /// Returns the gradients of all pairs: the gradients of the logits of first tokens, and zeros for all other
  /// pairs.
  static at::Tensor spread(const Course& course, const at::Tensor& joint, const at::Tensor& of_logits,
                           std::int64_t pairs) {
    at::Tensor all = at::zeros({pairs, course.heads}, of_logits.options());
    for_each_molecule(course, joint, [&](const Part& part) {
      std::copy_n(numbers_at(of_logits, part.first_logit),
                  part.attention.queries * part.attention.tokens * course.heads,
                  numbers_at(all, part.first_pair));
    });
    return all;
  }
};

}  // namespace

AttentionOutput attend(const at::Tensor& joint, const at::Tensor& logits, const Segments& molecules,
                       std::int64_t heads, bool first_only, const KeyedDropout& dropout) {
  const Tensors made = Attention::apply(joint.contiguous(), logits.contiguous(),
                                        Course{molecules, heads, first_only, dropout});
  return {made[0], first_only ? at::Tensor() : made[1]};
}

}  // namespace molgauge::torch
