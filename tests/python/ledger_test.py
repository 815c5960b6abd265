"""A budget that outlives the process, from Python."""
import threading

import hushwalk
import pytest


@pytest.fixture
def club(tmp_path):
    graph = hushwalk.generate("karate")
    graph.save(tmp_path / "club.hwg")
    return graph


@pytest.fixture
def ledger(club, tmp_path):
    with hushwalk.Ledger.create(tmp_path / "club.ledger", club, epsilon=1, per_recipient=0.5) as made:
        yield made


def test_a_repeated_question_gets_the_same_answer_at_no_cost(club, ledger):
    first, again = (ledger.rank(club, 1, epsilon=0.3) for _ in range(2))
    assert first.nodes == again.nodes and (first.scores == again.scores).all()
    assert first.certificate == again.certificate and first.certificate.verify()
    assert first.charged.cost == 0.3 and again.charged.cost == 0
    assert ledger.remaining == 0.7 and ledger.spent == 0.3


def test_what_does_not_fit_is_budget_exceeded_and_tells_others_spending_to_the_custodian_only(club, ledger):
    ledger.rank(club, 1, epsilon=0.45)
    ledger.rank(club, 2, epsilon=0.45)
    with pytest.raises(hushwalk.BudgetExceeded) as error:
        ledger.rank(club, 3, epsilon=0.3)
    assert error.value.code == 3 and isinstance(error.value, hushwalk.Refused)
    assert "0.1" in error.value.for_custodian and "0.1" not in str(error.value)
    assert ledger.remaining == 0.1


def test_what_remains_is_what_may_be_spent_now(club, tmp_path):
    both = hushwalk.Ledger.create(tmp_path / "both", club, epsilon=0.6, per_period=0.5)
    both.rank(club, 1, epsilon=0.25)
    assert (both.remaining, both.spent) == (0.25, 0.25), "0.35 are left of the total, but not in this period"
    with pytest.raises(hushwalk.BudgetExceeded):
        both.rank(club, 2, epsilon=0.3)


def test_a_recipient_can_run_out_alone(club, ledger):
    ledger.rank(club, 1, epsilon=0.4)
    with pytest.raises(hushwalk.BudgetExceeded):
        ledger.rank(club, 1, epsilon=0.2)
    assert ledger.rank(club, 2, epsilon=0.2)


def test_other_refusals_are_not_about_the_budget(club, ledger, tmp_path):
    stranger = hushwalk.generate("karate")
    stranger.save(tmp_path / "stranger.hwg")
    with pytest.raises(hushwalk.Refused) as error:
        ledger.rank(stranger, 1, epsilon=0.1)
    assert not isinstance(error.value, hushwalk.BudgetExceeded)


def test_cost_is_what_will_be_charged_and_charges_nothing(club, ledger):
    quote = ledger.cost(club, 1, epsilon=0.25)
    assert quote.cost == 0.25 and quote.fits and ledger.spent == 0
    assert not ledger.cost(club, 1, epsilon=0.9).fits
    ledger.rank(club, 1, epsilon=0.25)
    assert ledger.cost(club, 1, epsilon=0.25).cost == 0


def test_an_artefact_can_be_charged_and_used_under_the_ledger(club, ledger):
    shared = ledger.share(club, epsilon=0.5, publish=True)
    assert ledger.spent == 0.5 and shared.charged.cost == 0.5
    assert ledger.rank(club, 1, shared=shared).certificate.epsilon == 0.5
    assert ledger.spent == 0.5
    with pytest.raises(hushwalk.BudgetExceeded):
        ledger.share(club, epsilon=0.7, publish=True)


def test_a_second_ledger_for_a_graph_is_refused_unless_forced(club, ledger, command_line, tmp_path):
    """The notes beside the graph file are read by both doors."""
    for again in (lambda: hushwalk.Ledger.create(tmp_path / "b", club, epsilon=1), lambda: hushwalk.Ledger.create(tmp_path / "b", tmp_path / "club.hwg", epsilon=1)):
        with pytest.raises(hushwalk.Refused, match=f"{ledger.show().ledger_id}.*`force`"):
            again()
    command_line("ledger", "init", "--graph", tmp_path / "club.hwg", "--epsilon", 1, "-o", tmp_path / "b", code=3)
    assert not (tmp_path / "b").exists()
    with pytest.warns(hushwalk.LedgerNotice, match="a second ledger"):
        hushwalk.Ledger.create(tmp_path / "b", club, epsilon=1, force=True)


def test_a_ledger_of_periods(club, tmp_path):
    ledger = hushwalk.Ledger.create(tmp_path / "p", club, per_period=0.5, period="7d", carry=True)
    ledger.rank(club, 1, epsilon=0.4)
    period = ledger.show().period
    assert (period["length"], period["carry"], period["left"]) == ("7d", True, pytest.approx(0.1))
    with pytest.raises(hushwalk.BudgetExceeded):
        ledger.rank(club, 2, epsilon=0.4)
    with pytest.raises(hushwalk.UsageError, match="`carry` goes with `per_period`"):
        hushwalk.Ledger.create(tmp_path / "q", club, epsilon=1, carry=True, force=True)
    with pytest.raises(hushwalk.UsageError, match="what may be spent"):
        hushwalk.Ledger.create(tmp_path / "q", club, force=True)


def test_a_key_may_lie_elsewhere(club, tmp_path, monkeypatch):
    (tmp_path / "safe").mkdir()
    key = tmp_path / "safe/key"
    hushwalk.Ledger.create(tmp_path / "k", club, epsilon=1, key=key).rank(club, 1, epsilon=0.1)
    with pytest.raises(hushwalk.Failed, match="key"):
        hushwalk.rank(club, 2, epsilon=0.1, ledger=tmp_path / "k")
    assert hushwalk.rank(club, 2, epsilon=0.1, ledger=tmp_path / "k", key=key)
    monkeypatch.setenv("HUSHWALK_KEY", str(key))
    assert hushwalk.Ledger(tmp_path / "k").rank(club, 3, epsilon=0.1)
    with pytest.raises(hushwalk.UsageError, match="`key` goes with `ledger`"):
        hushwalk.rank(club, 2, epsilon=0.1, key=key)


def test_a_ledger_is_extended_copied_forgotten_and_compacted(club, ledger, tmp_path):
    ledger.rank(club, 1, epsilon=0.4)
    ledger.extend(epsilon=1, per_recipient=0.5, reason="approved by the board")
    assert ledger.remaining == 1.6 and ledger.entries()[-1].event["reason"] == "approved by the board"
    assert ledger.backup(tmp_path / "copy") and (tmp_path / "copy").exists()
    assert [(account.recipient, account.spent) for account in ledger.recipients()] == [("1", 0.4)] and ledger.recipients(0) == []
    ledger.forget(older_than=1)
    assert ledger.rank(club, 1, epsilon=0.4).charged.cost == 0
    ledger.forget(before="2999-01-01T00:00:00Z")
    ledger.compact()
    with pytest.raises(hushwalk.Refused, match="not answered any more"):
        ledger.rank(club, 1, epsilon=0.4)
    ledger.forget(new_epoch=True)
    assert ledger.rank(club, 1, epsilon=0.4).charged.cost == 0.4
    for mistake in ({}, {"older_than": 1, "new_epoch": True}, {"before": "yesterday"}, {"older_than": 1, "accept_head": True}):
        with pytest.raises(hushwalk.UsageError):
            ledger.forget(**mistake)


def test_a_new_epoch_goes_on_after_key_and_head_were_lost(club, ledger, tmp_path):
    ledger.rank(club, 1, epsilon=0.25)
    for end in (".key", ".key.head"):
        (tmp_path / f"club.ledger{end}").unlink()
    with pytest.raises(hushwalk.Error, match="accept_head"):
        ledger.forget(new_epoch=True)
    with pytest.warns(hushwalk.LedgerNotice, match="a new key was made: .*club.ledger.key"):
        ledger.forget(new_epoch=True, accept_head=True)
    assert ledger.rank(club, 1, epsilon=0.25).charged.cost == 0.25 and ledger.verify()


def test_the_head_beside_the_key_can_be_accepted_anew(club, ledger, tmp_path):
    head = next(path for path in tmp_path.iterdir() if path.name.startswith("club.ledger") and "head" in path.name)
    ledger.rank(club, 1, epsilon=0.1)
    head.unlink()
    with pytest.raises(hushwalk.Error, match="head"):
        ledger.rank(club, 2, epsilon=0.1)
    assert "NOT checked" in ledger.verify().reason
    assert ledger.verify(accept_head=True, accept_clock=True)
    assert "NOT checked" not in ledger.verify().reason and ledger.rank(club, 2, epsilon=0.1)


def test_what_does_not_fit_is_said_of_every_kind_of_artefact(club, ledger):
    for mechanism in ("circles", "shared"):
        with pytest.raises(hushwalk.BudgetExceeded):
            ledger.share(club, epsilon=2, mechanism=mechanism, publish=True)


def test_a_graph_in_memory_cannot_be_counted_for(ledger, tmp_path):
    graph = hushwalk.Graph.from_edges([(1, 2)])
    for work in (lambda: ledger.rank(graph, 1, epsilon=0.1), lambda: hushwalk.Ledger.create(tmp_path / "l", graph, epsilon=1)):
        with pytest.raises(hushwalk.Refused, match="save"):
            work()


def test_the_environment_names_a_ledger_as_on_the_command_line(club, ledger, monkeypatch):
    monkeypatch.setenv("HUSHWALK_LEDGER", ledger.path)
    hushwalk.rank(club, 1, epsilon=0.2)
    assert ledger.spent == 0.2
    with pytest.raises(hushwalk.Refused, match="exact"):
        hushwalk.exact_rank(club, 1)
    monkeypatch.setenv("HUSHWALK_LEDGER", "")
    with pytest.raises(hushwalk.UsageError, match="empty"):
        hushwalk.rank(club, 1, epsilon=0.2)


def test_the_command_line_and_python_share_one_file(command_line, club, ledger, tmp_path):
    ours = ledger.rank(club, 1, epsilon=0.3, top=5)
    theirs = command_line.json("rank", tmp_path / "club.hwg", "--seed", 1, "--epsilon", 0.3, "--top", 5, "--ledger", ledger.path)
    assert [row["node"] for row in theirs["rankings"][0]["top"]] == ours.nodes
    assert command_line.json("ledger", "show", ledger.path)["spent"] == 0.3
    assert ledger.verify() and ledger.entries()[-1].hash == ledger.show().head


def test_of_many_threads_exactly_as_many_win_as_the_budget_has_room_for(club, ledger):
    outcomes = []

    def ask(seed):
        try:
            ledger.rank(club, seed, epsilon=0.3)
            outcomes.append("answered")
        except hushwalk.BudgetExceeded:
            outcomes.append("refused")

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(1, 9)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["answered"] * 3 + ["refused"] * 5 and ledger.spent == pytest.approx(0.9, abs=1e-9)


def test_a_closed_ledger_says_so_and_can_be_opened_again(club, ledger):
    ledger.rank(club, 1, epsilon=0.3)
    ledger.close()
    with pytest.raises(hushwalk.UsageError, match="closed"):
        ledger.remaining
    assert "closed" in repr(ledger)
    assert "0.7 left" in repr(hushwalk.Ledger(ledger.path))


def test_budgets_carry_over_to_a_new_snapshot(club, ledger, tmp_path):
    ledger.rank(club, 1, epsilon=0.3)
    newer = hushwalk.generate("karate")
    newer.save(tmp_path / "newer.hwg")
    ledger.add_snapshot(newer)
    ledger.rank(newer, 1, epsilon=0.1)
    assert ledger.remaining == pytest.approx(0.6, abs=1e-9)


def test_who_has_spent_most_is_listed_first(club, ledger):
    for seed, epsilon in ((1, 0.1), (2, 0.4), (3, 0.2)):
        ledger.rank(club, seed, epsilon=epsilon)
    assert [account.recipient for account in ledger.recipients()] == ["2", "3", "1"]
    assert [account.recipient for account in ledger.recipients(2)] == ["2", "3"]


def test_a_graph_saved_over_one_with_a_ledger_belongs_to_that_ledger(club, ledger, tmp_path):
    club.save(tmp_path / "club.hwg")  # the same graph: nothing to say
    newer = hushwalk.generate("karate")
    with pytest.warns(hushwalk.LedgerNotice, match=ledger.show().ledger_id):
        newer.save(tmp_path / "club.hwg")
    with pytest.raises(hushwalk.Refused):
        hushwalk.Ledger.create(tmp_path / "second", newer, epsilon=1)
    ledger.add_snapshot(newer)


def test_a_copy_of_a_graph_belongs_to_its_ledger(club, ledger, tmp_path):
    hushwalk.Graph.open(tmp_path / "club.hwg").save(tmp_path / "copy.hwg")
    with pytest.raises(hushwalk.Refused, match=ledger.show().ledger_id):
        hushwalk.Ledger.create(tmp_path / "second", hushwalk.Graph.open(tmp_path / "copy.hwg"), epsilon=1)


def test_a_graph_of_another_ledger_is_no_snapshot_unless_forced(club, ledger, tmp_path):
    other = hushwalk.generate("karate")
    other.save(tmp_path / "other.hwg")
    second = hushwalk.Ledger.create(tmp_path / "second", other, epsilon=1)
    with pytest.raises(hushwalk.Refused, match=ledger.show().ledger_id):
        second.add_snapshot(club)
    with pytest.warns(hushwalk.LedgerNotice, match="a second ledger"):
        second.add_snapshot(club, force=True)
    assert second.rank(club, 1, epsilon=0.1)
