"""Holds the stubs of the installed package to the built module: the same names, parameters and texts."""

import ast
import inspect
from pathlib import Path

import bloomline

# What every class has, or what its other methods say already.
WITHOUT_TEXT = {"__new__", "__enter__", "__exit__", "__bool__", "__eq__", "__len__", "__getitem__", "__iter__", "__or__", "__and__"}


def text(value):
    return " ".join(inspect.cleandoc(value or "").split())


def texts_of(stub):
    """The text of each name that a class of the stub has; of overloads the first one's."""
    found = {}
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, text(ast.get_docstring(node)))
    return found


def parameters_of(stub):
    """The names of the parameters of each method that is not a property; of overloads the first one's."""
    found = {}
    for node in stub.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("__"):
            decorators = {decorator.id for decorator in node.decorator_list}
            if "property" not in decorators:
                names = [argument.arg for argument in node.args.args + node.args.kwonlyargs]
                found.setdefault(node.name, names)
    return found


def main():
    file = Path(bloomline.__file__).with_suffix(".pyi")
    assert file.is_file() and file.with_name("py.typed").is_file(), "they are installed"
    body = ast.parse(file.read_text()).body
    classes = [node for node in body if isinstance(node, ast.ClassDef)]
    stubs = {node.name: node for node in classes if not node.name.startswith("_")}
    functions = {node.name: node for node in body if isinstance(node, ast.FunctionDef)}
    named = sorted([*stubs, *functions])
    assert named == sorted(bloomline.__all__), (named, sorted(bloomline.__all__))
    for name, stub in functions.items():
        built = getattr(bloomline, name)
        assert text(ast.get_docstring(stub)) == text(built.__doc__) != "", name
        arguments = stub.args
        names = [argument.arg for argument in arguments.args + arguments.kwonlyargs]
        names += [arguments.kwarg.arg] if arguments.kwarg else []
        assert names == list(inspect.signature(built).parameters), name
    compared = 0
    for name, stub in stubs.items():
        built = getattr(bloomline, name)
        assert text(ast.get_docstring(stub)) == text(built.__doc__) != "", name
        if issubclass(built, Exception):
            continue
        texts = texts_of(stub)
        public = {member for member in vars(built) if not member.startswith("_")}
        assert public == {member for member in texts if not member.startswith("_")}, name
        for member, names in parameters_of(stub).items():
            assert names == list(inspect.signature(getattr(built, member)).parameters), f"{name}.{member}"
        for member, said in texts.items():
            assert hasattr(built, member), f"{name}.{member}"
            if member not in WITHOUT_TEXT:
                assert said == text(getattr(built, member).__doc__) != "", f"{name}.{member}"
                compared += 1
    assert compared > 40, compared


if __name__ == "__main__":
    main()
