"""From a networkx graph to a private ranking, and what it promises."""
import hushwalk
import networkx as nx

# Who is friends with whom is secret; who is a member of the club is not.
club = nx.Graph(nx.karate_club_graph().edges)  # without its weights, which from_networkx would warn about
graph = hushwalk.Graph.from_networkx(club, nodes=club.nodes)

# The networkx call would be: nx.pagerank(club, alpha=0.8, personalization={0: 1})
result = hushwalk.rank(graph, 0, epsilon=1.0, diffusion="pagerank", beta=0.8, top=10)
print(result)

# What may be said about it, and to whom.
print()
print(result.certificate)

# Anybody can compute the promise again from what it says.
assert result.certificate.verify()

# As the custodian you may look at the answer without noise, and compare.
exact = hushwalk.exact_rank(graph, 0, diffusion="pagerank", beta=0.8, top=10)
print(f"{len(set(result.nodes) & set(exact.nodes))} of the true best ten are among the private best ten.")
