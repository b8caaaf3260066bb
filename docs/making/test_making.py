"""What is written into pages, and how tables are formed: `python3 -m unittest discover -s docs/making -t docs`."""

import json
import tempfile
import unittest
from pathlib import Path
from unittest import mock

from making import forms, kinds, outputs
from making.outputs import ByHand, Image, MakeError, Table, faults

PAGE = """# A page

<!-- made by docs/make first -->

| old |

<!-- end -->

<!-- made by docs/make second -->
<!-- end -->

The end.
"""


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "docs/images").mkdir(parents=True)
        self.page("docs/a.md", PAGE)
        self.page("README.md", "")
        here = mock.patch.object(outputs, "ROOT", self.root)
        here.start()
        self.addCleanup(here.stop)

    def page(self, name, text):
        (self.root / name).write_text(text, encoding="utf-8")

    def test_a_table_is_replaced_and_nothing_else(self):
        table = Table("docs/a.md", "first")
        self.assertEqual(table.current(), "| old |")
        table.write("| new |\n| --- |\n")
        self.assertEqual(table.current(), "| new |\n| --- |")
        self.assertEqual((self.root / "docs/a.md").read_text(), PAGE.replace("| old |", "| new |\n| --- |"))

    def test_a_table_that_was_written_is_not_stale(self):
        table = Table("docs/a.md", "second")
        table.write("| x |")
        before = (self.root / "docs/a.md").read_text()
        table.write(table.current())
        self.assertEqual((self.root / "docs/a.md").read_text(), before)

    def test_a_place_that_is_missing_or_there_twice_or_does_not_end_is_refused(self):
        for text, reason in [
            ("", "and there are 0"),
            (PAGE + PAGE, "and there are 2"),
            (PAGE.replace("<!-- end -->\n\n", "", 1), "no line <!-- end --> ends"),
        ]:
            self.page("docs/a.md", text)
            with self.assertRaisesRegex(MakeError, reason):
                Table("docs/a.md", "first").write("| lost? |")
            self.assertEqual((self.root / "docs/a.md").read_text(), text)

    def test_images_and_tables_without_an_item_are_faults(self):
        (self.root / "docs/images/a.svg").write_text("")

        def of(*made):
            return faults([mock.Mock(outputs=made)])

        image, first, second = Image("docs/images/a.svg"), Table("docs/a.md", "first"), Table("docs/a.md", "second")
        self.assertEqual(of(image, first, second), [])
        self.assertEqual(of(first, second), ["docs/images/a.svg: no item of docs/make makes this image"])
        self.assertEqual(of(image, first), ["docs/a.md: docs/make has no item for the table second"])
        self.assertEqual(of(image, image, first, second), ["docs/images/a.svg: two items make it"])
        gone = Image("docs/images/gone.svg")
        self.assertEqual(of(image, gone, first, second), ["docs/images/gone.svg: docs/make makes this image, and it is not there"])
        self.assertIn("and there are 0", "".join(of(image, first, second, Table("README.md", "third"))))


# Stands for the command: a sweep fails as long as a file is there, and a report has a table and a figure.
JOSTLE = """#!/bin/sh
set -e
case "$1" in
  sweep) test ! -e "$STOPPED" ;;
  report)
    mkdir -p "$4/tables" "$4/figures"
    printf '### A title\\n\\n| a |\\n' > "$4/tables/a.md"
    printf '# Report\\n\\n2 runs, and %s.\\n\\n' "$*" > "$4/report.md"
    printf 'pixels' > "$4/figures/a.png" ;;
  *) echo "measured $*" ;;
esac
"""


class Making(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        (self.root / "jostle").write_text(JOSTLE)
        (self.root / "jostle").chmod(0o755)
        names = {"JOSTLE": str(self.root / "jostle"), "STOPPED": str(self.root / "stopped")}
        for patch in (mock.patch.dict("os.environ", names), mock.patch.object(kinds, "KEPT", self.root / "kept")):
            patch.start()
            self.addCleanup(patch.stop)

    def made(self, item):
        with mock.patch("sys.stderr"):
            return item.make(kinds.Programs([item]), self.root)

    def test_an_experiment_gives_the_files_of_its_report(self):
        figure, table = Image("docs/images/a.png"), Table("docs/a.md", "a")
        item = kinds.experiment("a", "experiments/a.toml", {"figures/a.png": figure, "tables/a.md": table})
        self.assertEqual(self.made(item), {figure: b"pixels", table: "\n| a |\n"})
        with self.assertRaisesRegex(MakeError, "b.md is not there: the report has no such file"):
            self.made(kinds.experiment("a", "experiments/a.toml", {"tables/b.md": table}))

    def test_an_experiment_may_have_several_reports_with_options(self):
        table, text = Table("docs/a.md", "a"), Table("docs/a.md", "b")
        reports = {"one": (), "other": ("--weight", "agents")}
        item = kinds.experiment("a", "experiments/a.toml", {"one/tables/a.md": table, "other/summary": text}, reports=reports)
        made = self.made(item)
        self.assertEqual(made[table], "\n| a |\n")
        self.assertRegex(made[text], r"^2 runs, and report .*/other --weight agents\.$")
        self.assertIn("jostle report results/a --weight agents", item.command)

    def test_a_sweep_that_was_stopped_gives_nothing(self):
        (self.root / "stopped").touch()
        with self.assertRaisesRegex(MakeError, "jostle ended with 1"):
            self.made(kinds.experiment("a", "experiments/a.toml", {"tables/a.md": Table("docs/a.md", "a")}))

    def test_what_is_measured_is_kept_with_its_command(self):
        item = kinds.by_hand("times", "docs/a.md", [["jostle", "run", "cave"], ["echo", "done"]])
        with mock.patch("builtins.print"):
            made = self.made(item)
        self.assertEqual(made, {ByHand("docs/a.md", "times"): f"$ {self.root}/jostle run cave\nmeasured run cave\n\n$ echo done\ndone\n"})

    def test_a_program_that_is_not_beside_the_command_is_named(self):
        with self.assertRaisesRegex(MakeError, "examples/knot is not there: build it, or leave JOSTLE unset"):
            self.made(kinds.example("knot", "knot", [], {"-": "docs/images/knot.svg"}))


class Forms(unittest.TestCase):
    def test_shares_are_never_rounded_up_to_all(self):
        self.assertEqual([forms.percent(rate) for rate in (1.0, 0.9995, 0.998, 0.5)], ["100 %", "99.9 %", "99.8 %", "50 %"])

    def test_a_brief_table_is_found_by_its_title(self):
        text = "### arrived, %: a\n\n| map | 9 agents |\n|-----|---------:|\n| x   |       70 |\n\n### distance: a\n\n| map |\n|---|\n"
        self.assertEqual(forms.brief("arrived")([text]), "| map | 9 agents |\n| --- | ---: |\n| x | 70 |")
        with self.assertRaises(ValueError):
            forms.brief("ticks")([text])

    def test_mean_costs_are_only_of_runs_in_which_all_arrive(self):
        run = {"map": "rooms:8x8:seed=1", "agents": 10, "planner": "jostle", "completion_rate": 1, "sum_of_costs": 1000}
        text = "\n".join(json.dumps({**run, "sum_of_costs": cost}) for cost in (1000, 2000))
        self.assertIn("| rooms:8x8, 10 agents | 1,500 |", forms.mean_costs([text]))
        with self.assertRaisesRegex(ValueError, "not all agents have arrived"):
            forms.mean_costs([json.dumps({**run, "completion_rate": 0.9})])

    def test_the_time_of_a_choke_point_is_the_least_of_all_runs(self):
        texts = [f"door      jostle    100.0%    242     2.70x {ms:8.1f} ms\n" for ms in (0.9, 0.8)]
        self.assertIn("| `jostle` | 100 % | 242 | 2.7 times | 0.8 ms |", forms.choke_point("door", "")(texts))


REPORT = """### Title

| kind | bmaa:push=true | far | whca:window=8 |
|------|---------------:|----:|--------------:|
| random | **80.0** ±1.0 (79.0) | 70.0 +1.0 −2.0 (75.0) | 60.0 (64.0) |
| swap-sides | 61.0 (64.0) | 50.0 (50.0) | 40.0 (35.0) |
| **overall** | **70.5** ±0.5 (72) | 60.0 (62) | 50.0 (49.5) |

Mean over instances.
"""


class TablesOfReports(unittest.TestCase):
    def test_overall_rows_stand_below_the_papers(self):
        made = forms.overall_by_limit({"Table I": {"1 million": REPORT, "2 million": REPORT.replace("70.5", "71.5")}})
        self.assertEqual(
            made.splitlines()[2:],
            ["| Table I | paper, 30 s | 72 | 62 | 49.5 |", "|  | 1 million | 70.5 | 60 | 50 |", "|  | 2 million | 71.5 | 60 | 50 |"],
        )

    def test_the_distance_from_the_thesis_is_that_of_all_kinds(self):
        made = forms.thesis_by_limit({"2 million": REPORT}).splitlines()
        self.assertEqual(made[2], "| thesis, 30 s | 71.5 | 62.5 | 49.5 |  |  |")
        # Differences 1, -5, -4 and -3, 0, 5: the root of 76 / 6, and of 35 / 4 without the third planner.
        self.assertEqual(made[3], "| 2 million | 70.5 | 60.0 | 50.0 | 3.6 | 3.0 |")


if __name__ == "__main__":
    unittest.main()
