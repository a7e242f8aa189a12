"""`python -m benchmarks.jury_page`: a stage's page with the marks of 17 jurors beside the same page without them.

The stage has 84 performers. Anonymous page views are measured in turn in one run: the audience's view, and the jury's.
After the first round the pages are in the page cache: this is what a view costs then, not the rendering.
"""

import asyncio
import sys
from statistics import median

import django

from benchmarks import site_processes
from benchmarks.clocks import cpu
from benchmarks.page_views import ask
from benchmarks.ranking import answered

JURORS, RATERS = 17, 100
PAGES, ROUNDS = 50, 6  # requests of each page in turn


def fill(stage_id: int) -> dict[str, int]:
    """Publish marks of all performers of the stage. Returns their number."""
    from decimal import Decimal

    from apps.accounts.actors import OPERATOR
    from apps.competition.selectors.public.stages import stage_field
    from apps.jury.services import sheet_publish, sheet_save

    field = stage_field(stage_id=stage_id)
    marks = {
        (each.participant_id, f"Juror Number {juror:02d}"): Decimal(12 + (juror * 7 + each.position * 5) % 14)
        for each in field
        for juror in range(1, JURORS + 1)
    }
    saved = sheet_save(actor=OPERATOR, stage_id=stage_id, place=1, marks=marks)
    sheet_publish(actor=OPERATOR, sheet_id=saved.sheet_id)
    return {"marks": len(marks)}


def main() -> None:
    """Measure and print."""
    with site_processes.opened() as opened:
        stage = int(answered(opened, "benchmarks.ranked_stage", RATERS)["stage"])
        answered(opened, "benchmarks.jury_page", stage)
        with opened.server("site") as serving:
            costs: dict[str, list[float]] = {f"/stages/{stage}": [], f"/stages/{stage}?view=jury": []}
            sizes = {}
            for number in range(ROUNDS + 1):
                for path, times in costs.items():
                    begun = cpu(serving.pid)
                    status, sizes[path], _ = asyncio.run(ask(serving.port, path, "", PAGES))
                    assert "200" in status, (path, status)
                    if number:  # the first round warms up
                        times.append((cpu(serving.pid) - begun) / PAGES * 1e3)
    (audience, plain), (jury, shown) = ((median(times), sizes[path]) for path, times in costs.items())
    print(f"audience: {audience:.2f} ms, {plain:,} bytes by gzip; jury: {jury:.2f} ms, {shown:,} bytes by gzip")
    print(f"ratios: CPU {jury / audience:.2f}, bytes {shown / plain:.2f}")


if __name__ == "__main__":
    if sys.argv[1:]:
        import json

        django.setup()
        print(json.dumps(fill(int(sys.argv[1]))))
    else:
        main()
