"""The general form of docs/math/27-frontier.md, which the program has with one set only: sets join in rounds, and what every
edge costs along a transcript is summed in whole. A transcript fixes sets and weights, so all of them are tried: every graph of
three and four nodes, every way to put these into rounds or into the rest, every edge that one graph has more."""
import fractions
import itertools

import pytest

Fraction = fractions.Fraction
EPSILON, TAPER = Fraction(1), 2
LATER = Fraction(3, 10)  # q: the share of an edge that is paid by its end in the earlier set
SENSITIVITY = 1 - Fraction(1, 2 * TAPER)  # S_w of this taper, note 12
SOUND, EARLIER_AT_LATER_SCALE, DEGREES_OF_ALL, AGAIN_AT_FULL_EPSILON = range(4)


def weight(degree):
    return 1 - Fraction(degree, 2 * TAPER) if degree <= TAPER else Fraction(TAPER, 2 * degree)


def released(linked, joins, rounds, weights, flaw):
    """Pairs of a number and its scale. `joins[v]` is the round of v, `rounds` that of the rest."""
    nodes = range(len(joins))

    def links(v, members):
        return sum(weights[u] for u in members if linked[u][v])

    numbers = []
    for now in range(rounds + 1):
        members = [v for v in nodes if joins[v] == now]
        for v in nodes:
            if now == rounds and joins[v] == rounds:
                continue
            share = (Fraction(1, 2) if joins[v] == now else
                     1 - LATER if joins[v] > now or flaw == EARLIER_AT_LATER_SCALE else LATER)
            numbers.append((links(v, members), 1 / (share * EPSILON)))
    rest = [v for v in nodes if joins[v] == rounds]
    counted = nodes if flaw == DEGREES_OF_ALL else rest
    degree = {u: sum(linked[u][v] for v in counted) for u in rest}
    for v in rest:
        numbers.append((sum(weight(degree[u]) for u in rest if linked[u][v]), 2 * SENSITIVITY / EPSILON))
    if flaw == AGAIN_AT_FULL_EPSILON:
        numbers += [(sum(linked[v]), 2 / EPSILON) for v in nodes]
    return numbers


def worst(nodes, rounds, flaw, weights):
    pairs, dearest = list(itertools.combinations(range(nodes), 2)), 0
    for joins in itertools.product(range(rounds + 1), repeat=nodes):
        for edges in itertools.product((0, 1), repeat=len(pairs)):
            linked = [[0] * nodes for _ in range(nodes)]

            def link(pair, there):
                linked[pair[0]][pair[1]] = linked[pair[1]][pair[0]] = there

            for pair, there in zip(pairs, edges):
                link(pair, there)
            without = released(linked, joins, rounds, weights, flaw)
            for pair, there in zip(pairs, edges):
                if there:
                    continue
                link(pair, 1)
                with_it = released(linked, joins, rounds, weights, flaw)
                link(pair, 0)
                cost = sum(abs(a - b) / scale for (a, scale), (b, _) in zip(without, with_it))
                dearest = max(dearest, cost / EPSILON)
    return dearest


@pytest.mark.parametrize("nodes,rounds", [(3, 1), (3, 2), (3, 3), (4, 2)])
def test_no_edge_costs_more_than_epsilon_in_any_number_of_rounds(nodes, rounds):
    assert worst(nodes, rounds, SOUND, [1] * nodes) == 1
    weights = [Fraction(1 + v % 3, 3) for v in range(nodes)]
    assert worst(nodes, rounds, SOUND, weights) <= 1


@pytest.mark.parametrize("flaw,cost", [(EARLIER_AT_LATER_SCALE, 2 * (1 - LATER)), (AGAIN_AT_FULL_EPSILON, 2)])
def test_what_reads_an_edge_twice_at_its_price_is_found(flaw, cost):
    assert worst(3, 2, flaw, [1] * 3) == cost


def test_degrees_that_count_links_out_of_the_rest_are_found():
    assert worst(4, 1, DEGREES_OF_ALL, [1] * 4) > 1
