"""
Grades cells as nbgrader would, with the shipped nbgrader_config.py. Input (stdin): {"config", "cells", "sources"}; output:
{"real", "points", "releases"}. Where nbgrader is not installed, stand-ins do what its documentation and source say
(nbgrader 0.9.5: utils.determine_grade, preprocessors/clearsolutions.py).
"""
import json
import sys
import types

import nbformat
from traitlets.config import Config


def is_grade(cell):
    return cell.metadata.get("nbgrader", {}).get("grade", False)


def has_failed(cell):
    kinds = [(output.output_type, output.get("name")) for output in cell.outputs]
    return any(kind == "error" or (kind, name) == ("stream", "stderr") for kind, name in kinds)


def determine_grade(cell, log=None):
    most = float(cell.metadata.nbgrader["points"])
    for output in cell.outputs:
        if output.output_type == "error" or (output.output_type == "stream" and output.name == "stderr"):
            return 0, most
        if output.output_type == "execute_result":
            text = output["data"]["text/plain"]
            if isinstance(text, list) and len(text) > 1:
                return most, most
            try:
                points = float("".join(text))
            except ValueError:
                return most, most
            if points > most:
                raise ValueError("more points than the cell has")
            return (points if points >= 0 else most), most
    return most, most


def stand_ins():
    names = """CheckCellMetadata ClearHiddenTests ClearMarkScheme ClearSolutions ComputeChecksums Execute
        IncludeHeaderFooter LockCells NbGraderPreprocessor SaveCells""".split()
    preprocessors = types.ModuleType("nbgrader.preprocessors")
    for name in names:
        setattr(preprocessors, name, type(name, (), {}))
    utils = types.ModuleType("nbgrader.utils")
    utils.is_grade, utils.has_failed, utils.determine_grade = is_grade, has_failed, determine_grade
    converters = types.ModuleType("nbgrader.converters")
    steps = types.SimpleNamespace(default=lambda: [preprocessors.Execute, preprocessors.SaveCells])
    converters.Autograde = types.SimpleNamespace(autograde_preprocessors=steps)
    package = types.ModuleType("nbgrader")
    package.utils, package.preprocessors, package.converters = utils, preprocessors, converters
    for module in (package, utils, preprocessors, converters):
        sys.modules[module.__name__] = module


try:
    import nbgrader.converters  # noqa: F401

    real = True
except ImportError:
    stand_ins()
    real = False

asked = json.load(sys.stdin)
config = Config()
settings = {"get_config": lambda: config, "__name__": "nbgrader_config"}
with open(asked["config"]) as file:
    exec(compile(file.read(), asked["config"], "exec"), settings)
from nbgrader import utils  # noqa: E402

points = []
for each in asked["cells"]:
    cell = nbformat.from_dict(each)
    without = utils.determine_grade(cell)[0] if each["metadata"].get("unguarded") else None
    cell, _ = settings["RequireVerdict"]().preprocess_cell(cell, {}, 0)
    points.append([utils.determine_grade(cell)[0], without])
releases = []
for source in asked["sources"]:
    cell = nbformat.v4.new_code_cell(source)
    settings["LeaveStarter"]()._replace_solution_region(cell, "typescript")
    releases.append(cell.source)
steps = [step.__name__ for step in config.Autograde.autograde_preprocessors]
json.dump({"real": real, "points": points, "releases": releases, "steps": steps}, sys.stdout)
