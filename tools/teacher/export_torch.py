#!/usr/bin/env python3
"""Writes the teacher as TorchScript, for GPUs.

usage: export_torch.py --model eval.onnx --out teacher.pt [--batch 2048]

The module takes packed inputs (uint8 [batch, INPUT_BYTES]) and returns values (f32 [batch]) and the
most probable moves (int16 [batch, 8]); it also unpacks them on the GPU. Needs torch, onnx and onnxslim."""
import argparse

import onnx
import onnxslim
import torch
import torch.nn.functional as F

import planes


class Network(torch.nn.Module):
    """An ONNX graph of fixed shapes, node by node. Supports the operators of the teacher only."""

    def __init__(self, model):
        super().__init__()
        attributes = lambda node: {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
        self.nodes = [(n.op_type, list(n.input), list(n.output), attributes(n)) for n in model.graph.node]
        self.inputs = [value.name for value in model.graph.input]
        self.outputs = [value.name for value in model.graph.output]
        self.names, self.shapes = {}, {}
        for number, tensor in enumerate(model.graph.initializer):
            array = torch.from_numpy(onnx.numpy_helper.to_array(tensor).copy())
            if array.is_floating_point():
                if array.dim() == 4:
                    array = array.contiguous(memory_format=torch.channels_last)
                self.names[tensor.name] = f"weight{number}"
                self.register_buffer(f"weight{number}", array)
            else:
                self.shapes[tensor.name] = array.tolist()

    def forward(self, x):
        known = {name: getattr(self, buffer) for name, buffer in self.names.items()} | self.shapes | {self.inputs[0]: x}
        for kind, inputs, outputs, attributes in self.nodes:
            result = apply(kind, [known[name] for name in inputs if name], attributes)
            known.update(zip(outputs, result if isinstance(result, tuple) else (result,)))
        return tuple(known[name] for name in self.outputs)


def apply(kind, args, attributes):
    match kind:
        case "Conv":
            pads = attributes.get("pads", [0] * 4)
            assert pads[:2] == pads[2:], "padding must be symmetric"
            stride, groups = attributes.get("strides", 1), attributes.get("group", 1)
            return F.conv2d(*args, padding=pads[:2], stride=stride, groups=groups)
        case "Gemm":
            weight = args[1] if attributes.get("transB") else args[1].t()
            return F.linear(args[0], weight, args[2] if len(args) > 2 else None)
        case "MatMul":
            return args[0] @ args[1]
        case "Add":
            return args[0] + args[1]
        case "Sub":
            return args[0] - args[1]
        case "Mul":
            return args[0] * args[1]
        case "Relu":
            return F.relu(args[0])
        case "Sigmoid":
            return torch.sigmoid(args[0])
        case "Tanh":
            return torch.tanh(args[0])
        case "MaxPool":
            return F.max_pool2d(args[0], attributes["kernel_shape"])
        case "AveragePool":
            return F.avg_pool2d(args[0], attributes["kernel_shape"])
        case "Concat":
            return torch.cat(args, dim=attributes["axis"])
        case "Reshape":
            return args[0].reshape(args[1])
        case "Flatten":
            return args[0].flatten(attributes.get("axis", 1))
        case "Squeeze":
            return args[0].squeeze(tuple(args[1]))
        case "Unsqueeze":
            for dim in args[1]:
                args[0] = args[0].unsqueeze(dim)
            return args[0]
        case "Slice":
            x = args[0]
            for start, end, axis in zip(args[1], args[2], args[3]):
                x = x.narrow(axis, start, min(end, x.shape[axis]) - start)
            return x
        case "Split":
            return tuple(args[0].split(args[1], dim=attributes["axis"]))
        case _:
            raise NotImplementedError(f"the operator {kind}")


class Teacher(torch.nn.Module):
    def __init__(self, network, value, move):
        super().__init__()
        self.network, self.value, self.move = network, value, move
        self.register_buffer("shifts", torch.arange(8, dtype=torch.uint8))
        # It has the type of the weights, also after half() on the traced module.
        self.register_buffer("one", torch.ones(1))

    def forward(self, packed):
        bits = (packed[:, : planes.BIT_BYTES, None] >> self.shifts) & 1
        bits = bits.flatten(1)[:, : planes.BIT_PLANES * 81].reshape(-1, planes.BIT_PLANES, 9, 9).type_as(self.one)
        scalars = (packed[:, planes.BIT_BYTES:].type_as(self.one) / 36)[:, :, None, None].expand(-1, -1, 9, 9)
        parts = [bits[:, :30], scalars[:, :14], bits[:, 30:44], scalars[:, 14:17], bits[:, 44:47]]
        for first in range(47, planes.BIT_PLANES, 20):
            parts.append(bits[:, first:first + 14])
            for count in (first + 14, first + 17):
                number = bits[:, count:count + 1] + 2 * bits[:, count + 1:count + 2] + 4 * bits[:, count + 2:count + 3]
                parts.append(number / 4)
        # Convolutions in half precision are fastest with the channels last.
        outputs = self.network(torch.cat(parts, dim=1).contiguous(memory_format=torch.channels_last))
        best = outputs[self.move].flatten(1).topk(8, dim=1).indices
        return outputs[self.value].flatten(1)[:, 0].float(), best.to(torch.int16)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--batch", type=int, default=2048)
    arguments = parser.parse_args()
    model = onnxslim.slim(onnx.load(arguments.model), input_shapes=[f"input:{arguments.batch},176,9,9"])
    names = [output.name for output in model.graph.output]
    teacher = Teacher(Network(model), names.index("value"), names.index("move")).eval()
    packed = torch.zeros((arguments.batch, planes.INPUT_BYTES), dtype=torch.uint8)
    with torch.inference_mode():
        # In f32, which every processor has; whoever loads it takes half precision.
        traced = torch.jit.trace(teacher, packed)
    torch.jit.save(traced, arguments.out)


if __name__ == "__main__":
    main()
