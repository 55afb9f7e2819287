"""Recurrent layers as cuDNN runs them: one operator for all steps and layers.

The sizes were measured on an H200 with cuDNN 9.19 (docs/results/gpu.md). cuDNN does not document them.
"""

from typing import Any, List, Optional, Tuple

import torch

MIB = 1 << 20

#: The modes of cuDNN, by the operator of PyTorch.
MODES = {"rnn_relu.input": 0, "rnn_tanh.input": 1, "lstm.input": 2, "gru.input": 3}
_LSTM = 2
#: The numbers that cuDNN keeps for each hidden number of a layer until the backward pass.
_KEPT = {0: 2, 1: 2, 2: 6, 3: 7}
#: The least workspace of several layers, in multiples of the output.
_LEAST_WORKSPACE = {0: 4, 1: 4, 2: 6, 3: 4}


def runs_in_cudnn(name: str, arguments: Tuple[Any, ...]) -> bool:
    """Whether cuDNN runs this layer. Layers with projections (``proj_size``) are not covered here."""
    weights, has_biases = arguments[2], arguments[3]
    per_layer = 4 if has_biases else 2
    directions = 2 if arguments[7] else 1
    return name in MODES and arguments[0].is_meta and len(weights) == per_layer * directions * arguments[4]


def run(name: str, arguments: Tuple[Any, ...]) -> Tuple[torch.Tensor, ...]:
    """Calls the operator of cuDNN. Returns the outputs of the operator ``name``."""
    input, state, weights, has_biases, layers, dropout, train, bidirectional, batch_first = arguments
    mode = MODES[name]
    hidden, cell = (state[0], state[1]) if mode == _LSTM else (state, None)
    output, last, last_cell, _, _ = torch.ops.aten._cudnn_rnn(
        input, weights, 4 if has_biases else 2, None, hidden, cell, mode, hidden.shape[2], 0, layers, batch_first,
        dropout, train, bool(bidirectional), [], None,
    )  # fmt: skip
    return (output, last, last_cell) if mode == _LSTM else (output, last)


def _shape(input: torch.Tensor, hidden: int, batch_first: bool, bidirectional: bool) -> Tuple[int, int, int]:
    """Returns steps, batch and width of the output."""
    steps, batch = (input.shape[1], input.shape[0]) if batch_first else (input.shape[0], input.shape[1])
    return steps, batch, hidden * (2 if bidirectional else 1)


def _output_bytes(arguments: Tuple[Any, ...]) -> int:
    steps, batch, width = _shape(arguments[0], arguments[7], arguments[10], arguments[13])
    return steps * batch * width * arguments[0].element_size()


def forward(mode: Any, func: Any, arguments: Tuple[Any, ...], named: Any) -> Any:
    """Stands in for aten::_cudnn_rnn on tensors without data."""
    input, weights, hidden_state, cell = arguments[0], arguments[1], arguments[4], arguments[5]
    if not input.is_meta:
        return NotImplemented
    kind, layers, batch_first, dropout, train, bidirectional = arguments[6], *arguments[9:14]
    steps, batch, width = _shape(input, arguments[7], batch_first, bidirectional)
    output = input.new_empty((steps, batch, width))
    reserve = 0
    if train:
        reserve = (_KEPT[kind] * layers - 1) * _output_bytes(arguments) + 256
        if dropout > 0:
            mask = (steps * batch * width + 7) // 8 * (2 if bidirectional else 1)
            reserve += (layers - 1) * ((mask + 127) // 128 * 128)
    return (
        output.transpose(0, 1) if batch_first else output,
        torch.empty_like(hidden_state),
        torch.empty_like(cell) if cell is not None else input.new_empty((0,)),
        input.new_empty((reserve,), dtype=torch.uint8),
        weights[0].new_empty((0,)),
    )


def backward(mode: Any, func: Any, arguments: Tuple[Any, ...], named: Any) -> Any:
    """Stands in for aten::_cudnn_rnn_backward. The gradients of the weights are parts of one tensor."""
    input, weights, state, cell = arguments[0], arguments[1], arguments[4], arguments[5]
    if not input.is_meta:
        return NotImplemented
    gradients: List[Optional[torch.Tensor]] = [None] * len(weights)
    if arguments[21][3]:
        together = weights[0].new_empty((sum(one.numel() for one in weights),))
        start = 0
        for i, one in enumerate(weights):
            gradients[i] = together[start : start + one.numel()].view(one.shape)
            start += one.numel()
    return (
        torch.empty_like(input),
        torch.empty_like(state),
        torch.empty_like(cell) if cell is not None else None,
        gradients,
    )


def workspace_bytes(arguments: Tuple[Any, ...], in_backward: bool) -> Tuple[int, int]:
    """Returns a lower and an upper estimate of the workspace, from the arguments of the operator."""
    if in_backward:  # the output and three gradients are four more arguments
        arguments = (*arguments[:6], *arguments[10:])
    output, kind, layers, dropout = _output_bytes(arguments), arguments[6], arguments[9], arguments[11]
    least = _LEAST_WORKSPACE[kind] * output if layers > 1 else output
    most = 24 * MIB + 9 * output * (2 if arguments[13] else 1) + (output if dropout > 0 else 0)
    return least, max(least, most)
