#!/usr/bin/env python3
"""What links.py finds, and what it must not find."""

import unittest

from links import anchors_of, faults_of

PAGE = """# A page
## `jostle`: the *planner*
## Why not `x_y`?
## Twice
## Twice
[up](../README.md) [here](#twice-1) [there](b.md#seen) ![a picture](images/a.svg) [`code`](../src/)
`[not a link](nowhere.md)` [elsewhere](https://example.org/nowhere.md)
```sh
# not a heading [nor a link](nowhere.md)
```
"""
OTHER = '<a id="seen"></a>\n\n[back](a.md#why-not-x_y "a title")\n'
THERE = {"README.md", "docs/a.md", "docs/b.md", "docs/images/a.svg", "src/main.rs"}


class Links(unittest.TestCase):
    def faults(self, more=""):
        return faults_of({"docs/a.md": PAGE + more, "docs/b.md": OTHER}, THERE)[0]

    def test_anchors_are_those_of_github(self):
        self.assertEqual(anchors_of(PAGE), {"a-page", "jostle-the-planner", "why-not-x_y", "twice", "twice-1"})

    def test_links_that_lead_somewhere_are_no_faults(self):
        self.assertEqual(self.faults(), [])

    def test_links_that_lead_nowhere_are_named_with_their_lines(self):
        for link, reason in [
            ("[x](nowhere.md)", "nowhere.md: there is no such file"),
            ("[x](../../outside.md)", "../../outside.md: there is no such file"),
            ("[x](#nowhere)", "#nowhere: docs/a.md has no such heading"),
            ("[x](b.md#nowhere)", "b.md#nowhere: docs/b.md has no such heading"),
            ("![x](images/b.svg)", "images/b.svg: there is no such file"),
            ('<img alt="x" src="images/b.svg">', "images/b.svg: there is no such file"),
            ("[x]: nowhere.md", "nowhere.md: there is no such file"),
        ]:
            self.assertEqual(self.faults(link), [f"docs/a.md: line 11: {reason}"])

    def test_images_that_are_shown_are_known(self):
        used = faults_of({"docs/a.md": PAGE}, THERE)[1]
        self.assertIn("docs/images/a.svg", used)


if __name__ == "__main__":
    unittest.main()
