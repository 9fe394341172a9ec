"""Unpacks the teacher's input as `selfplay` writes it (src/tools/teacher/input.rs)."""
import numpy as np

HISTORY = 7
BIT_PLANES = 47 + HISTORY * 20
SCALARS = 17
BIT_BYTES = (BIT_PLANES * 81 + 7) // 8
INPUT_BYTES = BIT_BYTES + SCALARS


def unpack(packed, out):
    """Fills out[:n] of an array [*, 176, 9, 9] (values 0 to 1) from n packed inputs, uint8 [n, INPUT_BYTES]."""
    raw, n = packed, len(packed)
    bits = np.unpackbits(raw[:, :BIT_BYTES], axis=1, bitorder="little")
    bits = bits[:, : BIT_PLANES * 81].reshape(n, BIT_PLANES, 9, 9)
    scalars = raw[:, BIT_BYTES:].astype(np.float32) / 36
    x = out[:n]
    x[:, 0:30] = bits[:, 0:30]
    x[:, 30:44] = scalars[:, :14, None, None]
    x[:, 44:58] = bits[:, 30:44]
    x[:, 58:61] = scalars[:, 14:17, None, None]
    x[:, 61:64] = bits[:, 44:47]
    for move in range(HISTORY):
        source, target = 47 + 20 * move, 64 + 16 * move
        x[:, target:target + 14] = bits[:, source:source + 14]
        for side in range(2):
            count = bits[:, source + 14 + 3 * side:source + 17 + 3 * side]
            x[:, target + 14 + side] = (count[:, 0] + 2 * count[:, 1] + 4 * count[:, 2]) / np.float32(4)
    return x
