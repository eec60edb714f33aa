"""
nbgrader's settings for this course (nbgrader 0.9). `npm run release` puts this file into the folder of a course; run
nbgrader there. notebooks/INSTRUCTORS.md says how.
"""
import math
import re

from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_output
from nbgrader import utils
from nbgrader.preprocessors import (
    CheckCellMetadata,
    ClearHiddenTests,
    ClearMarkScheme,
    ClearSolutions,
    ComputeChecksums,
    Execute,
    IncludeHeaderFooter,
    LockCells,
    NbGraderPreprocessor,
    SaveCells,
)
from nbgrader.converters import Autograde

c = get_config()  # noqa: F821 (Jupyter gives it)


class LeaveStarter(ClearSolutions):
    """A solution that has its starter as comments is replaced by the starter; any other by code_stub."""

    def _replace_solution_region(self, cell, language):
        if "// STARTER" not in cell.source:
            return super()._replace_solution_region(cell, language)
        lines, part = [], "both"
        for line in cell.source.split("\n"):
            marker = line.strip()
            if marker == "// BEGIN SOLUTION":
                part = "solution"
            elif marker == "// STARTER":
                part = "starter"
            elif marker == "// END SOLUTION":
                part = "both"
            elif part == "both":
                lines.append(line)
            elif part == "starter":
                lines.append(re.sub(r"^\s*//\|", "", line))
        cell.source = "\n".join(lines)
        return True


class ExecuteToTheEnd(Execute):
    """A submission that ends its kernel is graded as far as it came, and the next one is graded too."""

    def preprocess(self, nb, resources, **kwargs):
        try:
            return super().preprocess(nb, resources, **kwargs)
        except DeadKernelError as problem:
            self.log.warning("The kernel ended: %s", problem)
            return nb, resources


class RequireVerdict(NbGraderPreprocessor):
    """
    A check without a number of points counts 0. nbgrader gives all points to a cell without a result: one that was
    skipped or never ran, or whose number is negative or NaN.
    """

    def preprocess_cell(self, cell, resources, cell_index):
        if cell.cell_type == "code" and utils.is_grade(cell) and "checkExercise(" in cell.source:
            if not self.has_points(cell) and not utils.has_failed(cell):
                reason = "The check gave no points: it did not run to its end."
                error = new_output("error", ename="NoVerdict", evalue=reason, traceback=["NoVerdict: " + reason])
                cell.outputs.insert(0, error)
        return cell, resources

    @staticmethod
    def has_points(cell):
        results = [output for output in cell.outputs if output.output_type == "execute_result"]
        try:
            (points,) = [float("".join(output["data"]["text/plain"])) for output in results]
        except (KeyError, TypeError, ValueError):
            return False
        return math.isfinite(points) and 0 <= points <= float(cell.metadata.nbgrader["points"])


# Outputs stay: a page reads well with them. The exercise's own cells have none in source/.
c.GenerateAssignment.preprocessors = [
    IncludeHeaderFooter,
    LockCells,
    LeaveStarter,
    CheckCellMetadata,
    ComputeChecksums,
    SaveCells,
    ClearHiddenTests,
    ClearMarkScheme,
    ComputeChecksums,
    CheckCellMetadata,
]
c.ClearSolutions.code_stub = {"typescript": "// YOUR CODE HERE"}

_autograde = [ExecuteToTheEnd if each is Execute else each for each in Autograde.autograde_preprocessors.default()]
_autograde.insert(_autograde.index(ExecuteToTheEnd) + 1, RequireVerdict)
c.Autograde.autograde_preprocessors = _autograde

# A page's longest cell takes some 15 s of CPU time on a laptop.
c.Execute.timeout = 300
c.Execute.startup_timeout = 120
# The course's kernel, as npm run kernel installs it.
c.Execute.kernel_name = "tslab"
# A learner's tag must not keep a cell from running.
c.Execute.skip_cells_with_tag = ""

# Yours:
# c.CourseDirectory.course_id = "cuda-101"
# c.CourseDirectory.root = "/srv/nbgrader/cuda-101"
# c.Exchange.root = "/srv/nbgrader/exchange"
