"""The file in which move_regret.py keeps the moves of networks."""
import hashlib
import json
import os
import pathlib

FORMAT = "kawasemi moves of networks, version 1"


class MoveStore:
    """The moves of each network by its name. They belong to the positions, nodes and options of the head; another
    file is refused, because it would be replaced, or its moves would be taken for those of other positions."""

    def __init__(self, path, positions, nodes, options):
        self.path = pathlib.Path(path) if path else None
        digest = hashlib.sha256("\n".join(positions).encode()).hexdigest()
        self.head = {"format": FORMAT, "positions": digest, "nodes": nodes, "options": sorted(options)}
        self.moves = {}
        if self.path and self.path.exists():
            self.moves = self._read()

    def _read(self):
        try:
            stored = json.loads(self.path.read_text())
        except ValueError:  # not JSON, or not text
            stored = None
        if not isinstance(stored, dict) or stored.get("format") != FORMAT:
            raise SystemExit(f"{self.path} was not written by --store; give the moves another file")
        for key, value in self.head.items():
            if stored.get(key) != value:
                raise SystemExit(f"{self.path} was made with other {key}; give these moves another file")
        return stored["moves"]

    def add(self, name, moves):
        """Adds the moves of a network, and writes the file in one step."""
        self.moves[name] = moves
        if self.path:
            new = self.path.with_name(self.path.name + ".new")
            new.write_text(json.dumps(self.head | {"moves": self.moves}))
            os.replace(new, self.path)
