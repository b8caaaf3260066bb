#!/usr/bin/env python3
"""Whether what the pages of the project refer to is there: files, headings and images. Every image in docs/images must be shown on a page.

.ci/links.py

Addresses on the web are not looked up.
"""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
FENCE = re.compile(r"^ {0,3}(```+|~~~+)")
HEADING = re.compile(r"^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$")
HTML_ANCHOR = re.compile(r"<a\s+(?:id|name)=\"([^\"]+)\"")
INLINE_CODE = re.compile(r"(`+).+?(?<!`)\1(?!`)")
# [text](target), ![text](target "title") and [![image](inner)](target): the target alone tells them apart.
LINK = re.compile(r"\]\(\s*<?([^()\s>]*(?:\([^()\s]*\)[^()\s>]*)*)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s*<?(\S+?)>?(?:\s|$)")
HTML_TARGET = re.compile(r"<(?:img|a|source)\s[^>]*?(?:src|href|srcset)=\"([^\"]+)\"")
ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:")


def files():
    """All files that are or can be committed."""
    words = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name for name in listed.split("\0") if name and (ROOT / name).exists()}


def prose(text):
    """The lines outside of code blocks, with their numbers."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if fence is None and found:
            fence = found[1]
        elif fence is None:
            yield number, line
        elif found and found[1].startswith(fence) and line.strip() == found[1]:
            fence = None


def anchor_of(heading):
    """The anchor that GitHub gives a heading: what is shown of it, in small letters, without punctuation, with hyphens for spaces."""
    shown = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    shown = re.sub(r"\\(.)", r"\1", re.sub(r"<[^>]+>", "", shown))
    return re.sub(r"[^\w\- ]", "", shown.strip().lower()).replace(" ", "-")


def anchors_of(text):
    """All anchors of a page. Of headings that are the same, later ones have numbers."""
    anchors, seen = set(), {}
    for _, line in prose(text):
        anchors.update(HTML_ANCHOR.findall(line))
        if found := HEADING.match(line):
            anchor = anchor_of(found[1])
            count = seen.get(anchor, 0)
            seen[anchor] = count + 1
            anchors.add(f"{anchor}-{count}" if count else anchor)
    return anchors


def targets_of(line):
    """What a line refers to."""
    line = INLINE_CODE.sub("", line)
    return LINK.findall(line) + REFERENCE.findall(line) + HTML_TARGET.findall(line)


def resolved(page, path):
    """The name of a file from the root of the repository; None if it lies outside."""
    parts = [] if path.startswith("/") else list(PurePosixPath(page).parent.parts)
    for part in PurePosixPath(path.lstrip("/")).parts:
        if part != "..":
            parts.append(part)
        elif not parts:
            return None
        else:
            parts.pop()
    return "/".join(parts)


def faults_of(pages, there):
    """What is wrong on the pages, and which files they refer to."""
    folders = {str(parent) for name in there for parent in PurePosixPath(name).parents} - {"."}
    anchors = {page: anchors_of(text) for page, text in pages.items()}
    faults, used = [], set()
    for page, text in pages.items():
        for number, line in prose(text):
            for target in targets_of(line):
                if not target or ELSEWHERE.match(target):
                    continue
                path, _, anchor = target.partition("#")
                name = resolved(page, unquote(path)) if path else page
                place = f"{page}: line {number}: {target}"
                if name is None or name not in there | folders:
                    faults.append(f"{place}: there is no such file")
                    continue
                used.add(name)
                if anchor and name in anchors and unquote(anchor) not in anchors[name]:
                    faults.append(f"{place}: {name} has no such heading")
    return faults, used


def main():
    there = files()
    pages = {name: (ROOT / name).read_text(encoding="utf-8") for name in sorted(there) if name.endswith(".md")}
    faults, used = faults_of(pages, there)
    shown = {name for name in there if name.startswith("docs/images/")} - used
    faults += [f"{name}: no page shows this image" for name in sorted(shown)]
    print("\n".join(faults) or f"All links of {len(pages)} pages lead somewhere.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
