"""Tests of serve.py without a model: python3 -m unittest discover tools/teacher"""

import pathlib
import sys
import tempfile
import unittest
from unittest import mock

# Nothing that is tested needs it.
with mock.patch.dict(sys.modules, numpy=mock.Mock()):
    import serve


class Serve(unittest.TestCase):
    # Regression: the weights of a model in OpenVINO's format did not count, so other weights had the same name.
    def test_the_name_of_a_teacher_depends_on_all_its_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ["eval.onnx", "eval.onnx.data", "eval-int8.xml", "eval-int8.bin", "teacher.pt"]:
                pathlib.Path(folder, name).touch()
            for model, files in [
                ("eval.onnx", ["eval.onnx", "eval.onnx.data"]),
                ("eval-int8.xml", ["eval-int8.xml", "eval-int8.bin"]),
                ("teacher.pt", ["teacher.pt"]),
            ]:
                found = serve.model_files(f"{folder}/{model}")
                self.assertEqual([file.name for file in found], files)


if __name__ == "__main__":
    unittest.main()
