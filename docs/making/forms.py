"""How tables of the documentation are formed from what programs print."""

import json
import math
import re


def markdown(heads, rows, align=None):
    """A table. Columns are to the right, except the first `align` ones."""
    marks = ["---" if column < (align or 1) else "---:" for column in range(len(heads))]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [heads, marks, *rows])


def grouped(number):
    return f"{number:,.0f}"


def percent(rate):
    """In percent, with one digit after the point where there is one to show, and never rounded up to all."""
    return f"{int(rate * 1000 + 1e-6) / 10:g} %"


def milliseconds(us):
    return f"{us / 1e6:.1f} s" if us >= 1e6 else f"{us / 1e3:.0f} ms" if us >= 1e5 else f"{us / 1e3:.1f} ms"


def records(texts):
    """The runs that `jostle run --json` has printed."""
    return [json.loads(line) for text in texts for line in text.splitlines()]


def by(runs, *fields):
    """Groups of runs, in the order in which they come."""
    groups = {}
    for run in runs:
        groups.setdefault(tuple(run[field] for field in fields), []).append(run)
    return groups


def level(name):
    """A built-in map, without its seed."""
    return re.sub(r":seed=\d+$", "", name)


def mean(runs, field):
    return sum(run[field] for run in runs) / len(runs)


# ---- Tables.


def brief(title):
    """A table of `jostle run --brief --markdown`, found by how its title begins, and without it."""

    def form(texts):
        for section in "\n".join(texts).split("### ")[1:]:
            if section.startswith(title):
                rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line.startswith("|")]
                return markdown(rows[0], rows[2:])
        raise ValueError(f"no table begins with {title!r}")

    return form


def arrived_and_ticks(texts):
    """Maps by planners: who arrives, when the run ends, and how far agents walk."""
    groups = by(records(texts), "map", "agents")
    planners = list(dict.fromkeys(run["planner"] for runs in groups.values() for run in runs))
    heads = ["arrived, ticks (limit 4,096), mean distance", *(f"`{name}`" for name in planners)]
    rows = []
    for (name, agents), runs in groups.items():
        cell = {run["planner"]: f"{percent(run['completion_rate'])}, {grouped(run['ticks'])}, {run['travel_distance']:.0f}" for run in runs}
        rows.append([f"{level(name)}, {grouped(agents)} agents", *(cell[planner] for planner in planners)])
    return markdown(heads, rows)


def mean_costs(texts):
    """Maps by planners: the mean sum of costs over seeds, all of whose runs must have brought everybody to the goal."""
    groups = by(records(texts), "map", "agents", "planner")
    late = [group for group, runs in groups.items() if mean(runs, "completion_rate") < 1]
    if late:
        raise ValueError(f"not all agents have arrived: {late[0]}")
    planners = list(dict.fromkeys(planner for _, _, planner in groups))
    heads = ["sum of costs, 4 neighbours, mean of six seeds", *(f"`{name}`" for name in planners)]
    rows = []
    for name, agents in dict.fromkeys(group[:2] for group in groups):
        cells = [grouped(mean(groups[name, agents, planner], "sum_of_costs")) for planner in planners]
        rows.append([f"{level(name)}, {agents} agents", *cells])
    return markdown(heads, rows)


def rehearsed(texts):
    """Crowds that look ahead, beside the same planner that does not, and PIBT."""
    heads = ["map", "agents", "sum of costs", "times `rehearse=0`", "times PIBT", "last arrival", "`rehearse=0`", "PIBT"]
    heads += ["slowest tick, ms", "`rehearse=0`"]
    rows = []
    for (name, agents), runs in by(records(texts), "map", "agents").items():
        ahead, rules, pibt = ({run["planner"]: run for run in runs}[planner] for planner in ("jostle", "jostle:rehearse=0", "pibt"))
        costs = [f"{ahead['sum_of_costs'] / other['sum_of_costs']:.2f}" for other in (rules, pibt)]
        last = [grouped(run["makespan"]) for run in (ahead, rules, pibt)]
        slowest = [f"{run['tick_max_us'] / 1e3:.1f}" for run in (ahead, rules)]
        rows.append([name, grouped(agents), grouped(ahead["sum_of_costs"]), *costs, *last, *slowest])
    return markdown(heads, rows)


def contributions(number, head):
    """What one command says about variants of a planner on one crowd."""

    def form(texts):
        heads = [head, "arrived", "arrival", "distance", "all home in tick", "p99 tick", "slowest tick", "whole run"]
        rows = []
        for run in records([texts[number]]):
            note = " (exact distances for every agent)" if run["planner"] == "pibt" else ""
            home = grouped(run["makespan"]) if run["completion_rate"] == 1 else "–"
            rows.append(
                [
                    f"`{run['planner']}`{note}",
                    f"{100 * run['completion_rate']:.0f} %",
                    grouped(run["completion_ticks"]),
                    grouped(run["travel_distance"]),
                    home,
                    milliseconds(run["tick_p99_us"]),
                    milliseconds(run["tick_max_us"]),
                    milliseconds(run["seconds"] * 1e6),
                ]
            )
        return markdown(heads, rows)

    return form


def choke_point(name, head):
    """What the example `choke_points` says about one of them: each tick's time is the least of all texts, because the runs are the same."""
    line = re.compile(rf"^{name} +(\S+) +(\S+)% +(\d+) +(\S+)x +(\S+) ms$", re.MULTILINE)

    def form(texts):
        rows = []
        for found in zip(*(line.findall(text) for text in texts)):
            planner, arrived, ticks, distance, _ = found[0]
            times = f"{float(distance):.0f}" if float(distance) >= 10 else f"{float(distance):.1f}"
            worst = min(float(times[4]) for times in found)
            rows.append([f"`{planner}`", f"{float(arrived):g} %", grouped(int(ticks)), f"{times} times", f"{worst:.1f} ms"])
        if not rows:
            raise ValueError(f"nothing is said about {name}")
        return markdown([head, "arrived", "ticks", "distance", "worst"], rows)

    return form


# ---- Tables from those of reports.


def cells_of(text):
    """The cells of a table of a report, without what makes them bold. The first row is its head."""
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip().replace("**", "") for cell in row] for row in rows[:1] + rows[2:]]


def ours(cell):
    return float(re.match(r"[\d.]+", cell)[0])


def paper(cell):
    """The paper's number beside ours, in brackets."""
    return float(re.search(r"\(([\d.]+)", cell)[1])


def overall_by_limit(measures):
    """The last rows of tables, for each measure and each limit. The paper's own numbers come first."""
    heads, rows = None, []
    for measure, texts in measures.items():
        tables = {limit: cells_of(text) for limit, text in texts.items()}
        head, *_, last = next(iter(tables.values()))
        heads = heads or ["", "limit", *(f"`{name}`" for name in head[1:])]
        rows.append([measure, "paper, 30 s", *(f"{paper(cell):g}" for cell in last[1:])])
        rows += [["", limit, *(f"{ours(cell):g}" for cell in table[-1][1:])] for limit, table in tables.items()]
    return markdown(heads, rows, 2)


def apart(table, columns):
    """The root mean square of the differences from the paper's numbers, in some columns of all rows but the last, which is their mean."""
    pairs = [(ours(row[column]), paper(row[column])) for row in table[1:-1] for column in columns]
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs) / len(pairs))


def thesis_by_limit(texts):
    """How close the planners of the thesis come to its rates within each limit, with and without the one that the BMAA* paper lacks."""
    tables = {limit: cells_of(text) for limit, text in texts.items()}
    head = next(iter(tables.values()))[0]
    names = ["bmaa", "far", "whca"]
    columns = [next(at for at, name in enumerate(head) if name.startswith(start)) for start in names]
    heads = ["expansions", "`bmaa`", "`far`", "`whca:window=8`", "apart", "apart without `whca`"]
    kinds = next(iter(tables.values()))[1:-1]
    rows = [["thesis, 30 s", *(f"{sum(paper(row[column]) for row in kinds) / len(kinds):.1f}" for column in columns), "", ""]]
    for limit, table in tables.items():
        rates = [f"{ours(table[-1][column]):.1f}" for column in columns]
        rows.append([limit, *rates, f"{apart(table, columns):.1f}", f"{apart(table, columns[:2]):.1f}"])
    return markdown(heads, rows)
