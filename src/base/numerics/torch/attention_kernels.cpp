#include "base/numerics/torch/attention_kernels.h"

#include <cmath>
#include <type_traits>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

#include "base/core/error.h"
#include "base/numerics/torch/cuda/attention_steps.h"
#include "base/numerics/torch/run_kernel.h"
#include "base/numerics/torch/torch_compatibility.h"

namespace molgauge::torch {
namespace {

using ::torch::autograd::AutogradContext;
using Tensors = ::torch::autograd::variable_list;

/// Calls work(std::integral_constant<int, depth>()), which makes the depth of the heads a template argument.
template <typename Work>
void with_depth(std::int64_t depth, const Work& work) {
  switch (depth) {
    case 8:
      return work(std::integral_constant<int, 8>());
    case 16:
      return work(std::integral_constant<int, 16>());
    case 32:
      return work(std::integral_constant<int, 32>());
    default:
      throw Error("attention supports only heads of 8, 16 and 32 numbers");
  }
}

/// The molecules, the positions of their data in the arrays, and the dropout.
struct Course {
  Segments molecules;
  at::Tensor first_pair;
  at::Tensor keys;  ///< [molecules] dropout keys, on the device. Undefined without dropout
  double probability = 0;
  std::int64_t heads = 0;
  bool first_only = false;

  std::int64_t depth(const at::Tensor& joint) const { return joint.size(1) / 3 / heads; }
  std::int64_t queries(const at::Tensor& joint) const {
    return first_only ? molecules.count() : joint.size(0);
  }
  cuda::AttentionCourse of(const at::Tensor& joint) const {
    const auto* const first = read_numbers<std::int64_t>(molecules.first);
    const auto* const pairs = read_numbers<std::int64_t>(first_pair);
    return {.joint = read_numbers<float>(joint),
            .first = first,
            .of = read_numbers<std::int64_t>(molecules.of),
            .first_pair = pairs,
            .first_logit = first_only ? first : pairs,
            .keys = keys.defined() ? read_numbers<std::int64_t>(keys) : nullptr,
            .dropout = keys.defined() ? ops::KeyedFactors::of(probability, 0) : ops::KeyedFactors(),
            .heads = heads,
            .first_only = first_only,
            .scale = 1 / std::sqrt(static_cast<float>(depth(joint)))};
  }
};

class Attention : public ::torch::autograd::Function<Attention> {
 public:
  static Tensors forward(AutogradContext* context, const at::Tensor& joint, const at::Tensor& before,
                         const Course& course) {
    const std::int64_t queries = course.queries(joint), width = joint.size(1) / 3;
    // If only first tokens attend, each molecule has one query, which has a logit for each token of the
    // molecule.
    const std::int64_t pairs = course.first_only ? joint.size(0) : before.size(0);
    const at::Tensor logits = at::empty({pairs, course.heads}, joint.options());
    const at::Tensor out = at::empty({queries, width}, joint.options());
    with_depth(course.depth(joint), [&](auto depth) {
      run_kernel(cuda::Attend<depth()>{.course = course.of(joint),
                                       .before = read_numbers<float>(before),
                                       .logits = write_numbers<float>(logits),
                                       .out = write_numbers<float>(out)},
                 queries * course.heads, joint.device());
    });
    context->save_for_backward(
        {joint, logits, course.molecules.first, course.molecules.of, course.first_pair, course.keys});
    context->saved_data["heads"] = course.heads;
    context->saved_data["first_only"] = course.first_only;
    context->saved_data["probability"] = course.probability;
    context->saved_data["pairs"] = before.size(0);
    return course.first_only ? Tensors{out} : Tensors{out, logits};
  }

  static Tensors backward(AutogradContext* context, const Tensors& gradients) {
    const Tensors saved = context->get_saved_variables();
    const at::Tensor &joint = saved[0], &logits = saved[1];
    const Course course{.molecules = {saved[2], saved[3]},
                        .first_pair = saved[4],
                        .keys = saved[5],
                        .probability = context->saved_data["probability"].toDouble(),
                        .heads = context->saved_data["heads"].toInt(),
                        .first_only = context->saved_data["first_only"].toBool()};
    const at::Tensor of_out = gradients[0].contiguous();
    const at::Tensor later =
        !course.first_only && gradients[1].defined() ? gradients[1].contiguous() : at::Tensor();
    // Tokens that do not attend have no gradients for their queries and pairs. These gradients are therefore
    // set to zero.
    const std::int64_t pairs = context->saved_data["pairs"].toInt();
    const at::Tensor of_joint = course.first_only ? at::zeros_like(joint) : at::empty_like(joint);
    const at::Tensor of_logits = course.first_only ? at::zeros({pairs, course.heads}, joint.options())
                                                   : at::empty({pairs, course.heads}, joint.options());
    const std::int64_t queries = course.queries(joint);
    const at::Tensor sums = at::empty({2, queries, course.heads}, joint.options());
    with_depth(course.depth(joint), [&](auto depth) {
      const cuda::AttentionGradients<depth()> all{
          .course = course.of(joint),
          .logits = read_numbers<float>(logits),
          .of_out = read_numbers<float>(of_out),
          .highest = write_numbers<float>(sums),
          .total = write_numbers<float>(sums) + queries * course.heads,
          .of_logits = write_numbers<float>(of_logits),
          .of_joint = write_numbers<float>(of_joint)};
      run_kernel(
          cuda::QueryGradients<depth()>{.all = all,
                                        .later = later.defined() ? read_numbers<float>(later) : nullptr},
          queries * course.heads, joint.device());
      run_kernel(cuda::KeyGradients<depth()>{all}, joint.size(0) * course.heads, joint.device());
    });
    return {of_joint, of_logits, at::Tensor()};
  }
};

}  // namespace

bool attends_by_steps(std::int64_t depth, c10::Device device) {
  return (depth == 8 || depth == 16 || depth == 32) && (has_steps_of_gpus() || device.is_cpu());
}

AttentionOutput attention_kernels(const at::Tensor& joint, const at::Tensor& logits,
                                  const Segments& molecules, std::int64_t heads, bool first_only,
                                  const KeyedDropout& dropout) {
  const Tensors made =
      Attention::apply(joint.contiguous(), logits.contiguous(),
                       Course{.molecules = molecules,
                              .first_pair = first_pairs(molecules),
                              .keys = dropout.is_active() ? dropout.keys_on(joint.device()) : at::Tensor(),
                              .probability = dropout.probability,
                              .heads = heads,
                              .first_only = first_only});
  return {made[0], first_only ? at::Tensor() : made[1]};
}

at::Tensor first_pairs(const Segments& molecules) {
  if (molecules.first_pair.defined()) {
    return molecules.first_pair;
  }
  const at::Tensor tokens = molecules.first.slice(0, 1) - molecules.first.slice(0, 0, molecules.count());
  const at::Tensor pairs = tokens * tokens;
  return at::cumsum(pairs, 0) - pairs;
}

}  // namespace molgauge::torch
