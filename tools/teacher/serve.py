#!/usr/bin/env python3
"""The teacher as a process: reads packed inputs from the input, writes values and moves.

usage: serve.py --model eval.onnx [--backend openvino|torch] [--precision bf16|f32] [--batch 64]

The protocol is that of src/tools/teacher/model.rs. The default backend is OpenVINO on one thread of the
processor, so `selfplay label` starts one process for each. With torch, --model is the file that
export_torch.py has written, and --batch must be the same as in the export; it runs on a GPU in half precision."""
import argparse
import hashlib
import pathlib
import signal
import struct
import sys

import numpy as np

import planes

BEST_MOVES = 8


def openvino_model(path, precision, batch):
    """A function from inputs [batch, 176, 9, 9] (f32) to values [batch] and policies [batch, 2187]."""
    import openvino as ov

    core = ov.Core()
    network = core.read_model(path)
    network.reshape([batch, 176, 9, 9])
    wanted = [r for r in network.get_results() if r.input_value(0).get_names() & {"value", "move"}]
    is_value = [bool(r.input_value(0).get_names() & {"value"}) for r in wanted]
    # With pinning, OpenVINO would run all processes on the first processor.
    options = {"INFERENCE_NUM_THREADS": 1, "NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": precision,
               "ENABLE_CPU_PINNING": False}
    compiled = core.compile_model(ov.Model(wanted, network.get_parameters(), "teacher"), "CPU", options)
    request = compiled.create_infer_request()

    def run(x):
        request.infer({0: x}, share_inputs=True)
        outputs = [request.get_output_tensor(i).data for i in range(len(wanted))]
        return outputs[is_value.index(True)].reshape(batch, -1)[:, 0], outputs[is_value.index(False)].reshape(batch, -1)

    return run, np.float32


def torch_model(path, batch):
    """The same from packed inputs, by TorchScript of export_torch.py: on a GPU in half precision."""
    import torch

    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.backends.cudnn.benchmark = True
    network = torch.jit.load(path, map_location=device).eval()
    if device == "cuda":
        network = network.half()

    def run(packed):
        # Without the optimizing executor, which would compile for seconds in every process.
        with torch.inference_mode(), torch.jit.optimized_execution(False):
            value, best = network(torch.from_numpy(packed).to(device, non_blocking=True))
        return value.cpu().numpy(), best.cpu().numpy()

    return run


def best_moves(policy):
    """The indices of the most probable moves, the most probable first."""
    best = np.argpartition(policy, -BEST_MOVES, axis=1)[:, -BEST_MOVES:]
    order = np.argsort(-np.take_along_axis(policy, best, axis=1), axis=1)
    return np.take_along_axis(best, order, axis=1).astype(np.uint16)


def model_files(path):
    """The file of a model and those of its weights: eval.onnx.data for eval.onnx, eval-int8.bin for eval-int8.xml."""
    path = pathlib.Path(path)
    files = sorted(path.parent.glob(path.name + "*"))
    return files + [path.with_suffix(".bin")] if path.suffix == ".xml" else files


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--backend", choices=["openvino", "torch"], default="openvino")
    parser.add_argument("--precision", choices=["bf16", "f32"], default="bf16")
    parser.add_argument("--batch", type=int, default=64)
    arguments = parser.parse_args()

    # Ctrl-C is for the calling tool; this process ends when its input is closed.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    prediction = np.dtype([("value", "<f4"), ("best", "<u2", BEST_MOVES)])
    raw = np.zeros((arguments.batch, planes.INPUT_BYTES), np.uint8)
    if arguments.backend == "torch":
        model = torch_model(arguments.model, arguments.batch)
    else:
        run, kind = openvino_model(arguments.model, arguments.precision, arguments.batch)
        x = np.zeros((arguments.batch, 176, 9, 9), kind)

        def model(packed):
            value, policy = run(planes.unpack(packed, x))
            return value, best_moves(policy)

    model(raw)
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    digest = hashlib.sha256()
    for file in model_files(arguments.model):
        digest.update(file.read_bytes())
    name = f"{pathlib.Path(arguments.model).name} {digest.hexdigest()[:16]} {arguments.backend} {arguments.precision}"
    sink.write(f"ready {arguments.batch} {name}\n".encode())
    sink.flush()
    while head := source.read(4):
        (count,) = struct.unpack("<I", head)
        packed = source.read(count * planes.INPUT_BYTES)
        predictions = np.zeros(count, prediction)
        for first in range(0, count, arguments.batch):
            n = min(arguments.batch, count - first)
            part = packed[first * planes.INPUT_BYTES:(first + n) * planes.INPUT_BYTES]
            raw[:n] = np.frombuffer(part, np.uint8).reshape(n, planes.INPUT_BYTES)
            value, best = model(raw)
            predictions["value"][first:first + n] = value[:n]
            predictions["best"][first:first + n] = best[:n].astype(np.uint16)
        sink.write(predictions.tobytes())
        sink.flush()


if __name__ == "__main__":
    main()
