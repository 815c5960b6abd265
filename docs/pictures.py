"""The pictures of docs/choosing.md, from the figures in docs/utility.md and docs/reproduction.md. `make docs` makes them
anew; a test compares.

Usage: docs/pictures.py [FOLDER]      (default: docs/pictures)
"""
import math
import pathlib
import re
import sys

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt

HERE = pathlib.Path(__file__).resolve().parent
COLOURS = {"auto": "#0072b2", "paper": "#d55e00", "output": "#009e73", "shared": "#cc79a7", "circles": "#0072b2"}
STYLE = {"svg.fonttype": "none", "svg.hashsalt": "hushwalk", "font.size": 9, "font.family": "sans-serif", "axes.spines.top": False,
         "axes.spines.right": False, "axes.grid": True, "grid.color": "#e6e6e6", "legend.frameon": False, "axes.axisbelow": True, "savefig.facecolor": "white"}


MEASURES = r"([0-9.]+)(?: ± [0-9.]+)? / [0-9.]+ / ([0-9.]+) / [0-9.]+"  # NDCG, recall and both of new nodes


def both(cell):
    return tuple(map(float, re.search(MEASURES, cell).groups()))


def one_answer(page):
    """graph → (NDCGs of free, {mechanism: {ε: NDCGs}}), of all and of new nodes, from the tables with a column for each ε."""
    graphs = {}
    for block in re.split(r"^(?=\*\*)", page, flags=re.M):
        title = re.match(rf"\*\*([\w-]+)\*\*, \d+ seeds, \*free\* ({MEASURES})", block)
        header = re.search(r"^\| \|((?: ε = [0-9.]+ \|)+)$", block, re.M)
        if not title or not header:
            continue
        epsilons = [float(text) for text in re.findall(r"ε = ([0-9.]+)", header[1])]
        rows = re.findall(r"^\| `([\w+]+)` \| (.*) \|$", block, re.M)
        graphs[title[1]] = both(title[2]), {name: dict(zip(epsilons, map(both, cells.split("|")))) for name, cells in rows}
    return graphs


def many_answers(page, epsilon):
    """graph → {mechanism: NDCG over nodes that are no neighbours}, when everybody shares one ε."""
    graphs = {}
    made = page[page.index("<!-- made by scripts/utility many -->"):page.index("<!-- end of what scripts/utility many makes -->")]
    for block in re.split(r"^(?=\*\*)", made, flags=re.M):
        title = re.match(rf"\*\*([\w-]+)\*\*, \d+ seeds, \*free\* {MEASURES}", block)
        if title:
            row = re.search(rf"^\| {epsilon} \| {MEASURES} \| {MEASURES} \|", block, re.M)
            graphs[title[1]] = dict(zip(("free", "shared", "circles"), map(float, (title[3], row[2], row[4]))))
    return graphs


def users(page):
    """Users and NDCGs with fresh noise for each; NDCGs of one artefact for all: over all nodes, and over new ones."""
    text = re.search(r"\*\*Users from ε = 1 in all\*\*.*?for all", page, re.S)[0]
    pair = r"([0-9.]+) / ([0-9.]+)"
    fresh = [(int(count.replace(",", "")), (float(ndcg), float(new))) for ndcg, new, count in re.findall(rf"{pair}\s+\(([0-9,]+)", text)]
    return fresh, tuple(map(float, re.search(rf"artefact keeps {pair}", text).groups()))


def log_axis(axes, ticks):
    axes.set_xscale("log")
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()


def draw_one_answer(graphs):
    figure, panels = plt.subplots(2, 3, figsize=(8, 5), sharex=True, sharey="row", layout="constrained")
    for column, name in zip(panels.T, ["blogcatalog", "flickr-asu-8000", "ego-facebook"]):
        free, rows = graphs[name]
        for which, axes in enumerate(column):
            for mechanism, mark in [("auto", "o"), ("output", "s"), ("paper", "^")]:
                axes.plot(rows[mechanism].keys(), [pair[which] for pair in rows[mechanism].values()], marker=mark, color=COLOURS[mechanism], label=mechanism)
            axes.axhline(free[which], color="#666666", linestyle="--", label="free: costs no budget")
            log_axis(axes, list(rows["auto"]))
        column[0].set_title(name)
        column[1].set_xlabel("ε of one answer")
    panels[0][0].set_ylabel("NDCG@100")
    panels[1][0].set_ylabel("NDCG@100 without\nown neighbours")
    panels[0][1].legend(loc="lower right", fontsize=8)
    return figure


def draw_users(fresh, one):
    figure, panels = plt.subplots(1, 2, figsize=(8, 2.9), layout="constrained")
    counts = [count for count, _ in fresh]
    for which, (axes, label) in enumerate(zip(panels, ["NDCG@100", "NDCG@100 without\nown neighbours"])):
        axes.plot(counts, [ndcgs[which] for _, ndcgs in fresh], marker="^", color=COLOURS["paper"], label="fresh noise for each")
        axes.plot([counts[0], counts[-1]], [one[which], one[which]], marker="o", color=COLOURS["auto"], label="one artefact for all")
        axes.set(xlabel="users who share ε = 1", ylabel=label, ylim=((0.8, 1), (0, 1))[which])
        log_axis(axes, counts)
    panels[0].legend(loc="lower left")
    return figure


def draw_recommender(graphs):
    figure, axes = plt.subplots(figsize=(8, 2.9), layout="constrained")
    for shift, (mechanism, colour) in enumerate([("free", "#999999"), ("shared", COLOURS["shared"]), ("circles", COLOURS["circles"])]):
        axes.bar([place + 0.27 * (shift - 1) for place in range(len(graphs))], [rows[mechanism] for rows in graphs.values()], 0.25,
                 color=colour, label=mechanism)
    axes.set_xticks(range(len(graphs)), graphs, rotation=15)
    axes.set(ylabel="NDCG@100 without\nown neighbours", ylim=(0, 1))
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, 1.2), ncols=3)
    return figure


def draw_guess():
    figure, axes = plt.subplots(figsize=(5, 2.9), layout="constrained")
    epsilons = [10 ** (place / 50) for place in range(-100, 51)]
    axes.plot(epsilons, [1 / (1 + math.exp(-epsilon)) for epsilon in epsilons], color=COLOURS["auto"])
    for epsilon in (0.1, 1, 3):
        chance = 1 / (1 + math.exp(-epsilon))
        axes.plot(epsilon, chance, "o", color=COLOURS["auto"])
        axes.annotate(f"{100 * chance:.0f} %", (epsilon, chance), xytext=(-8, 6), textcoords="offset points", ha="right")
    axes.set(xlabel="ε", ylabel="best guess of one edge\nis right at most", ylim=(0.45, 1))
    axes.set_yticks([0.5, 0.75, 1], ["50 %", "75 %", "100 %"])
    log_axis(axes, [0.01, 0.1, 1, 3, 10])
    return figure


def make(folder):
    utility, reproduction = (HERE / "utility.md").read_text(), (HERE / "reproduction.md").read_text()
    with plt.rc_context(STYLE):
        pictures = {"one-answer": draw_one_answer(one_answer(utility)), "users": draw_users(*users(reproduction)),
                    "recommender": draw_recommender(many_answers(utility, 1)), "guess": draw_guess()}
        for name, figure in pictures.items():
            figure.savefig(folder / f"{name}.svg", metadata={"Date": None, "Creator": None})
            plt.close(figure)


if __name__ == "__main__":
    make(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "pictures")
