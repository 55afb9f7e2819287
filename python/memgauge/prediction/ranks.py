"""Runs one rank of a program with several GPUs in a single process.

The other ranks do not run. PyTorch's fake process group answers the collective operations: results have the right sizes, and
every rank contributes the data of this rank. DDP and FSDP therefore allocate their buckets and shards as on a GPU.
"""

import copy
import os
from typing import Any, Callable, Dict, List, NamedTuple

import torch
import torch.distributed as distributed

from .devices import own_gpu
from .patches import Patches
from .replaced import Refusal

#: At most this many ranks run. They are the first ranks and the last one.
MOST_RUN = 8

_POINT_TO_POINT = ("send", "recv", "isend", "irecv", "batch_isend_irecv", "send_object_list", "recv_object_list")


class World(NamedTuple):
    """One rank of a program. ``sent``: the objects that the ranks before sent to this rank, in order."""

    rank: int
    size: int
    sent: List[Any]


def ranks_to_run(size: int) -> List[int]:
    return list(range(size)) if size <= MOST_RUN else [*range(MOST_RUN - 1), size - 1]


def _refuse(what: str, cure: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise Refusal(f"the script uses {what}, which --ranks does not predict. {cure}")

    return refuse


class Ranks:
    """Replaces torch.distributed and the environment of torchrun during a run."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._backend = "nccl"
        self._patches = Patches()
        self._environment: Dict[str, Any] = {}
        self._received = iter(world.sent)
        self.sent: List[Any] = []  # objects that this rank sent to others

    def open(self) -> None:
        import torch.distributed.distributed_c10d as c10d
        import torch.multiprocessing as processes
        from torch.nn.parallel import distributed as ddp
        from torch.testing._internal.distributed import fake_pg  # noqa: F401, registers the process group

        own_gpu.set(self._world.rank, self._world.size)
        rank, size = str(self._world.rank), str(self._world.size)
        variables = {
            "RANK": rank, "LOCAL_RANK": rank, "WORLD_SIZE": size, "LOCAL_WORLD_SIZE": size, "GROUP_RANK": "0", "MASTER_ADDR": "localhost",
            "MASTER_PORT": "29500", "TORCHELASTIC_RUN_ID": "predict", "TORCHELASTIC_RESTART_COUNT": "0",
        }  # fmt: skip
        self._environment = {name: os.environ.get(name) for name in variables}
        os.environ.update(variables)
        self._start, self._group = c10d.init_process_group, c10d.new_group
        answers: Dict[str, Callable[..., Any]] = {
            "init_process_group": self._init_process_group,
            "new_group": self._new_group,
            "get_backend": lambda *_, **__: self._backend,
            "is_nccl_available": lambda: True,
            "is_gloo_available": lambda: True,
            "monitored_barrier": lambda *_, **__: None,
            "_store_based_barrier": lambda *_, **__: None,
            "all_gather_object": self._all_gather_object,
            "gather_object": self._gather_object,
            "broadcast_object_list": self._broadcast_object_list,
            "scatter_object_list": self._scatter_object_list,
        }
        pipeline = _refuse("point-to-point communication, as in pipeline parallelism", "Predict each stage on its own")
        answers.update({name: pipeline for name in _POINT_TO_POINT})
        for name, answer in answers.items():
            for owner in (distributed, c10d):
                self._patches.set_if_there(owner, name, answer)
        self._patches.set(ddp, "_verify_param_shape_across_processes", lambda *_, **__: None)
        self._patches.set(processes, "spawn", self._spawn)
        self._refuse_tensor_parallelism()

    def _refuse_tensor_parallelism(self) -> None:
        refuse = _refuse("tensor parallelism", "Use DDP or FSDP")
        try:
            from torch.distributed.tensor import parallel
            from torch.distributed.tensor.parallel import api
        except ImportError:
            return
        for owner in (parallel, api):
            self._patches.set_if_there(owner, "parallelize_module", refuse)
        self._patches.set_if_there(distributed.tensor, "distribute_module", refuse)

    def close(self) -> None:
        if distributed.is_initialized():
            distributed.destroy_process_group()
        self._patches.close()
        for name, value in self._environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        own_gpu.set(0, 1)

    def _init_process_group(
        self, backend: Any = None, init_method: Any = None, timeout: Any = None, world_size: int = -1, rank: int = -1, *_: Any, **__: Any
    ) -> None:
        if world_size not in (-1, self._world.size):
            raise Refusal(f"the script starts {world_size} ranks, and --ranks is {self._world.size}. Use the same number")
        if rank not in (-1, self._world.rank):
            raise Refusal(f"the script sets the rank {rank} for rank {self._world.rank}. Read the rank from the variable RANK")
        self._backend = str(backend or "nccl").rpartition(":")[2]
        self._start("fake", rank=self._world.rank, world_size=self._world.size)

    def _new_group(self, ranks: Any = None, *_: Any, **__: Any) -> Any:
        return self._group(ranks, backend="fake")

    def _spawn(self, fn: Callable[..., Any], args: Any = (), nprocs: int = 1, *_: Any, **__: Any) -> None:
        if nprocs != self._world.size:
            raise Refusal(f"the script starts {nprocs} processes, and --ranks is {self._world.size}. Use the same number")
        fn(self._world.rank, *args)

    # Collective operations on Python objects

    @staticmethod
    def _all_gather_object(object_list: List[Any], obj: Any, group: Any = None) -> None:
        object_list[:] = [copy.deepcopy(obj) for _ in object_list]

    def _gather_object(self, obj: Any, object_gather_list: Any = None, *_: Any, **__: Any) -> None:
        if object_gather_list is not None:
            self._all_gather_object(object_gather_list, obj)

    def _shared(self, objects: Any, is_sender: bool) -> Any:
        """Returns the objects that the sender sends. On other ranks, these are the objects of an earlier rank, which has run."""
        if is_sender:
            self.sent.append(copy.deepcopy(objects))
            return objects
        received = next(self._received, objects)
        self.sent.append(received)
        return copy.deepcopy(received)

    def _is_rank(self, src: Any, group: Any, group_src: Any) -> bool:
        if group_src is not None:
            return bool(distributed.get_rank(group) == group_src)
        return self._world.rank == (src or 0)

    def _broadcast_object_list(self, object_list: List[Any], src: Any = None, group: Any = None, *_: Any, group_src: Any = None, **__: Any) -> None:
        object_list[:] = self._shared(object_list, self._is_rank(src, group, group_src))

    def _scatter_object_list(
        self, scatter_object_output_list: List[Any], scatter_object_input_list: Any = None, src: Any = None, group: Any = None,
        group_src: Any = None, **__: Any,
    ) -> None:  # fmt: skip
        lists = self._shared(scatter_object_input_list, self._is_rank(src, group, group_src))
        scatter_object_output_list[0] = lists[distributed.get_rank(group)] if lists else None


def with_future(out: Any, func: Any) -> Any:
    """Returns the result of a collective operation with a work object whose future has the output, as NCCL returns it. The futures
    of the fake process group are empty."""
    if out is None and len(func._schema.returns) == 1:
        out = ([], None)
    elif not isinstance(out, (tuple, list)) or len(out) != 2 or isinstance(out[1], torch.Tensor):
        return out
    from torch._C._distributed_c10d import _create_work_from_future

    value = out[0]
    while isinstance(value, (tuple, list)) and value and isinstance(value[0], (tuple, list)):
        value = value[0]
    future: Any = torch.futures.Future()
    future.set_result(list(value) if isinstance(value, (tuple, list)) else [value])
    work = _create_work_from_future(future).boxed()
    return (out[0], work) if len(func._schema.returns) == 2 else work


def refuse_distributed(patches: Patches) -> None:
    """Makes a script that starts several processes raise Refusal, for predictions of a single process."""
    import torch.multiprocessing as processes

    for owner, name, what in (
        (distributed, "init_process_group", "torch.distributed"),
        (distributed, "new_group", "torch.distributed"),
        (processes, "spawn", "torch.multiprocessing"),
    ):
        if hasattr(owner, name):
            patches.set(owner, name, _refuse_processes(what))


def _refuse_processes(what: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise Refusal(f"the script uses several processes ({what}). Name their number with --ranks, 1 for a single process")

    return refuse
