"""Two additional contracts for import-linter (`[tool.importlinter]` in pyproject.toml names them)."""

from typing import Any

import grimp
from importlinter import Contract, ContractCheck, fields, output


class OwnModels(Contract):
    """Only an app's own modules import its models; `above` names the packages that may import those of all apps."""

    type_name = "own_models"
    apps = fields.StringField()
    above = fields.ListField(subfield=fields.StringField())

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002 - import-linter's
        """Return the imports of an app's models by modules of other apps."""
        root, above = str(self.apps), tuple(f"{package}." for package in self.above)  # type: ignore[attr-defined]
        foreign = []
        for app in sorted(graph.find_children(root)):
            models = f"{app}.models"
            if models not in graph.modules:
                continue
            for imported in sorted({models, *graph.find_descendants(models)}):
                importers = sorted(graph.find_modules_that_directly_import(imported))
                foreign += [
                    f"{each} imports {imported}" for each in importers if not each.startswith((f"{app}.", *above))
                ]
        return ContractCheck(kept=not foreign, metadata={"lines": foreign})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line for each import."""
        _print(check.metadata)


class NoCircles(Contract):
    """No import cycles, direct or indirect."""

    type_name = "no_circles"

    def check(self, graph: grimp.ImportGraph, verbose: bool) -> ContractCheck:  # noqa: ARG002 - import-linter's
        """Return the shortest import cycle of each module that is in one."""
        circles = []
        for module in sorted(graph.modules):
            for imported in sorted(graph.find_modules_directly_imported_by(module)):
                back = graph.find_shortest_chain(importer=imported, imported=module)
                if back:
                    circles.append(" -> ".join((module, *back)))
        return ContractCheck(kept=not circles, metadata={"lines": circles})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Print one line for each cycle."""
        _print(check.metadata)


def _print(metadata: dict[str, Any]) -> None:
    for line in metadata["lines"]:
        output.print_error(line, bold=False)
