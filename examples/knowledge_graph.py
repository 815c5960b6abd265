"""Retrieval from a private knowledge graph: rank the entities related to those of a question, and hand them to whoever (or
whatever) writes the answer. Links between entities are secret: that this patient has that diagnosis, for instance.

Then the attack: somebody knows every link but one and sees the answer. How often do they guess that link right?
"""
import hushwalk

LINKS = """
asthma|salbutamol asthma|steroids asthma|clinic_north asthma|dr_weiss asthma|pollen
diabetes|metformin diabetes|insulin diabetes|clinic_south diabetes|dr_ahmed hypertension|dr_ahmed hypertension|ramipril
hypertension|clinic_south pollen|antihistamines antihistamines|dr_weiss steroids|insulin
patient_07|asthma patient_07|dr_weiss patient_07|clinic_north patient_12|diabetes patient_12|dr_ahmed
patient_12|hypertension patient_19|asthma patient_19|salbutamol patient_19|clinic_north patient_23|diabetes
patient_23|metformin patient_23|clinic_south patient_31|hypertension patient_31|ramipril patient_31|dr_ahmed
patient_40|asthma patient_40|steroids patient_40|insulin patient_40|dr_weiss
"""
edges = [tuple(link.split("|")) for link in LINKS.split()]
entities = sorted({entity for edge in edges for entity in edge})  # which entities there are is public, how they relate is not
graph = hushwalk.Graph.from_edges(edges, nodes=entities)

# "Which treatments go with asthma and pollen?": the entities of the question are one seed, together. The answer goes to
# people who may know nothing of the graph, so every link must be protected: edge scope.
question = ["asthma", "pollen"]
context = hushwalk.rank(graph, seed_set=question, epsilon=3, scope="edge", top=6)
print("context for the answer:", ", ".join(map(str, context.nodes)))
print(context.certificate.words["meaning"])

# Is patient_40 treated with insulin? An attacker who knows all the rest looks at an answer for asthma.
attack = hushwalk.attack(graph, ("patient_40", "insulin"), "asthma", epsilon=[0.3, 1, 3], scope="edge", trials=400)
for row in attack.itertuples():
    kind = "exact answer" if row.epsilon == float("inf") else f"epsilon {row.epsilon:g}"
    print(f"{kind:>14}: {row.success:4.0%} of the guesses are right (nobody can exceed {row.ceiling:.0%})")
assert attack.success[0] == 1.0, "without noise the link is simply read off"
