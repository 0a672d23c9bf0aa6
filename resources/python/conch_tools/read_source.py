"""What the source of a Python model says about its tensors, read without running any of it: the names that it asks for
and answers with, and those that its auto_complete_config declares."""

import ast
import re

_INPUT_CALLS = ("get_input_tensor_by_name", "get_input_config_by_name")
_OUTPUT_CALLS = ("get_output_config_by_name",)


class ModelSource:
    """`inputs`, `outputs`: [name, type or None, dims or None] in order of their first mention. `completes`: it declares
    its tensors itself when it is loaded. `name`: what it calls itself; "" = nothing short."""

    def __init__(self, text):
        """Raises SyntaxError for what is no Python of this interpreter."""
        self.inputs = []
        self.outputs = []
        tree = ast.parse(text)
        self.completes = any(
            isinstance(node, ast.FunctionDef) and node.name == "auto_complete_config" for node in ast.walk(tree)
        )
        self.name = _own_name(tree)
        self._named = _named_dicts(tree)
        self._read(tree)

    def _read(self, node):
        if isinstance(node, ast.Call):
            called = _last_name(node.func)
            if called in _INPUT_CALLS:
                self._mention(self.inputs, _text(node.args, 1))
            elif called in _OUTPUT_CALLS:
                self._mention(self.outputs, _text(node.args, 1))
            elif called in ("add_input", "add_output"):
                self._declare(self.inputs if called == "add_input" else self.outputs, node.args)
            elif called in ("Tensor", "from_dlpack"):
                self._mention(self.outputs, _text(node.args, 0))
            elif called == "InferenceRequest":
                # Tensors for another model.
                return
        for child in ast.iter_child_nodes(node):
            self._read(child)

    def _mention(self, side, name):
        if name is not None and all(name != each[0] for each in side):
            side.append([name, None, None])

    def _declare(self, side, arguments):
        given = arguments[0] if arguments else None
        if isinstance(given, ast.Name):
            given = self._named.get(given.id)
        fields = _literal(given)
        if not isinstance(fields, dict) or not isinstance(fields.get("name"), str):
            return
        self._mention(side, fields["name"])
        found = next(each for each in side if each[0] == fields["name"])
        if isinstance(fields.get("data_type"), str):
            found[1] = fields["data_type"]
        if isinstance(fields.get("dims"), list):
            found[2] = fields["dims"]


# More words are a sentence, not a name.
_NAME_WORDS = 3
_ARTICLES = ("a", "an", "the", "this", "is")


def _own_name(tree):
    """"Image preprocessing: sizes and colours" is image_preprocessing. Docstrings of the file and of its class, in that order."""
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef) and each.name == "TritonPythonModel"]
    for node in [tree, *classes]:
        first = re.split(r"[.:;,(\n]| [-\u2013\u2014] ", (ast.get_docstring(node) or "").strip())[0]
        words = [word for word in first.lower().split() if word not in _ARTICLES]
        if 0 < len(words) <= _NAME_WORDS and all(re.fullmatch(r"[a-z0-9_-]+", word) for word in words):
            return "_".join(words).replace("-", "_")
    return ""


def _named_dicts(tree):
    """Dictionaries by the variable that they are first given to."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict):
            for target in node.targets:
                if isinstance(target, ast.Name):
                    found.setdefault(target.id, node.value)
    return found


def _last_name(node):
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _text(arguments, index):
    value = _literal(arguments[index]) if len(arguments) > index else None
    return value if isinstance(value, str) and value else None


def _literal(node):
    try:
        return ast.literal_eval(node) if node is not None else None
    except (ValueError, TypeError):
        return None
