"""What the tests of the shell scripts share: a copy of a script, and stand-ins for the tools that it calls."""

import pathlib
import shutil
import tempfile
import unittest


@unittest.skipUnless(all(map(shutil.which, ["bash", "timeout", "nproc"])), "needs GNU coreutils")
class ScriptTest(unittest.TestCase):
    def copy_script(self, name):
        """Makes a folder like that of the repository with the script in it."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for path in ["tools/teacher", ".teacher"]:
            (self.root / path).mkdir(parents=True)
        self.script = shutil.copy(pathlib.Path(__file__).with_name(name), self.root / "tools/teacher")

    def add_tool(self, name, text):
        tool = self.root / ".teacher" / name
        tool.write_text(text)
        tool.chmod(0o755)
