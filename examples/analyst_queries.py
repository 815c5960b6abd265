"""Analysts ask about a graph until its budget is spent. The ledger counts, across processes and restarts."""
import pathlib
import tempfile

import hushwalk

temporary = tempfile.TemporaryDirectory()
folder = pathlib.Path(temporary.name)
graph = hushwalk.generate("ba", nodes=1000, edges=8000)
graph.save(folder / "accounts.hwg")  # a ledger counts for a file, which keeps its id

with hushwalk.Ledger.create(folder / "accounts.ledger", graph, epsilon=1.0, per_recipient=0.5) as ledger:
    # In edge scope every edge is protected and anybody may be told: here two analysts, each with a budget of their own.
    ask = {"epsilon": 0.3, "scope": "edge", "top": 5}
    print("it would cost", ledger.cost(graph, 17, recipient="ann", **ask).cost)
    first = ledger.rank(graph, 17, recipient="ann", **ask)
    again = ledger.rank(graph, 17, recipient="ann", **ask)  # the same question: the stored answer, at no cost
    assert first.nodes == again.nodes and again.charged.cost == 0
    print("ann is told", first.nodes, "- left in all:", ledger.remaining)

    # In edge scope all answers come from one noisy artefact: bob pays for it on his own budget, the total does not pay twice.
    ledger.rank(graph, 18, recipient="bob", **ask)
    print("bob is told, too - left in all:", ledger.remaining)

    # A sharper answer needs fresh noise, and ann has 0.2 left.
    try:
        ledger.rank(graph, 19, recipient="ann", **(ask | {"epsilon": 0.4}))
    except hushwalk.BudgetExceeded as error:
        print("ann is told:", error)
        print("only you see:", error.for_custodian or "nothing more")

    print(ledger.show())
    assert ledger.verify()
