"""Suggestions for every member of a network, from one privacy budget.

One noisy artefact is made once. Every answer is computed from it and from what its recipient knows anyway, their own links,
so that the answers of all members together cost what the artefact cost: epsilon, once and for ever.
"""
import hushwalk

graph = hushwalk.generate("blogcatalog-like", nodes=2000)  # in your case: Graph.from_networkx, .from_edges, .open, …

artefact = hushwalk.share(graph, epsilon=0.5)
everybody = artefact.rank(graph, all=True, top=5, exclude_neighbors=True)

for suggestions in everybody[:3]:
    print(f"member {suggestions.seed}: you may know {', '.join(map(str, suggestions.nodes))}")
print(f"{len(everybody)} members, epsilon {everybody.certificate.total_epsilon:g} in all")

# One frame, for the custodian to hand out row by row; it is not for publication, because each answer is for its own seed.
frame = everybody.to_pandas()
assert len(frame) == 5 * len(graph)
print(everybody.certificate.words["audience"])
