"""calibrate and account as scripts and people see them."""
import json
import pathlib
import re

import pytest

GOLDEN = json.loads((pathlib.Path(__file__).parent / "accounting.json").read_text())
NEAR = {"rel": 1e-10}


def flags(row, *names):
    return [part for name in names for part in (f"--{name.replace('_', '-')}", row[name])]


DESIGN = ("diffusion", "beta", "steps", "eta", "scope")


def test_the_first_calibration_of_the_golden_file(hushwalk):
    result = hushwalk.json("calibrate", "--mechanism", "paper", "--diffusion", "ppr", "--beta", "0.8", "--steps", "100",
                           "--eta", "1e-6", "--epsilon", "1", "--delta", "1e-6", "--scope", "personalized")
    row = GOLDEN["calibration"][0]
    assert result["laplace_scale"] == pytest.approx(row["laplace_scale_pure"], **NEAR)
    assert result["sensitivity"] == pytest.approx(7.999999997962963e-06, **NEAR)
    assert result["distortion"] == pytest.approx(1.6e-06, **NEAR)
    assert result["epsilon"] <= 1 and result["epsilon"] == pytest.approx(1, rel=1e-9)
    assert (result["delta"], result["order"], result["tau"], result["accountant"]) == (1e-6, "inf", None, "pure")
    assert result["pure"] is True and "w_K" in result["sensitivity_bound"]


@pytest.mark.parametrize("row", GOLDEN["calibration"])
def test_calibrations(hushwalk, row):
    pure = hushwalk.json("calibrate", *flags(row, *DESIGN, "epsilon"))
    assert pure["laplace_scale"] == pytest.approx(row["laplace_scale_pure"], **NEAR)
    assert pure["delta"] is None
    with_delta = hushwalk.json("calibrate", *flags(row, *DESIGN, "epsilon", "delta"))
    assert with_delta["laplace_scale"] <= row["laplace_scale_pure"] * (1 + 1e-10)
    again = hushwalk.json("account", *flags(row, *DESIGN, "delta"), "--laplace-scale", repr(with_delta["laplace_scale"]))
    assert again["epsilon"] == with_delta["epsilon"] <= row["epsilon"]


@pytest.mark.parametrize("row", GOLDEN["rows"])
def test_rows_at_their_orders(hushwalk, row):
    def account(accountant):
        return hushwalk.json("account", *flags(row, *DESIGN, "laplace_scale", "delta", "order"), "--accountant", accountant)

    theorem = account("theorem")
    assert theorem["rdp"] == pytest.approx(row["rdp"], **NEAR)
    assert theorem["tau"] == row["tau"] and theorem["order"] == row["order"]
    assert theorem["epsilon"] == pytest.approx(row["epsilon_improved"], **NEAR)
    assert theorem["pure_epsilon"] == pytest.approx(row["pure_epsilon"], **NEAR)
    assert theorem["accountant"] == "theorem" and theorem["delta"] == row["delta"]
    assert account("composition")["rdp"] == pytest.approx(row["rdp_composition"], **NEAR)
    assert account("best")["rdp"] <= row["rdp"] * (1 + 1e-10)


def test_all_accountants_side_by_side(hushwalk):
    arguments = ["account", "--laplace-scale", "8e-6", "--delta", "1e-6", "--accountant", "all"]
    result = hushwalk.json(*arguments)
    listed = {entry["accountant"]: entry for entry in result["accountants"]}
    assert list(listed) == ["pure", "theorem", "shift", "composition"]
    assert result["epsilon"] <= 1.001 * min(entry["epsilon"] for entry in listed.values())
    assert listed["pure"]["order"] == "inf" and listed["pure"]["tau"] is None and listed["theorem"]["tau"] == 99
    one_draw = hushwalk.json(*arguments, "--draws", "1")["accountants"]
    assert "two independent draws" in next(e for e in one_draw if e["accountant"] == "theorem")["refused"]
    assert "composition" in hushwalk(*arguments).stdout


def test_noise_at_the_end(hushwalk):
    result = hushwalk.json("calibrate", "--mechanism", "output", "--epsilon", "1", "--scope", "edge")
    assert result["draws"] == 1
    # eta (1-a)/a max(1, 4a/(1+a)) + 4 (1-a)^100 with a = 0.2 (docs/math/14-output-half.md)
    assert result["laplace_scale"] == pytest.approx(4e-6 + 4 * 0.8**100, **NEAR)
    assert "14-output-half" in result["sensitivity_bound"]
    simple = hushwalk.json("calibrate", "--mechanism", "output", "--diffusion", "pagerank", "--epsilon", "1", "--scope", "edge")
    assert simple["laplace_scale"] == pytest.approx(2 * 7.999999998370372e-06, **NEAR)
    assert "w_K" in simple["sensitivity_bound"]


def test_coefficients_of_ones_own(hushwalk, tmp_path):
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"gamma1": [0.5, -0.5], "gamma2": [0.1, 0.2], "gamma3": [0.4, 1.3]}))
    result = hushwalk.json("calibrate", "--diffusion", "custom", "--coefficients", path, "--epsilon", "0.5", "--eta", "1e-3",
                           "--scope", "edge")
    # rho = 4 * 0.5 eta in both steps, w = 0.7 rho + rho.
    assert result["sensitivity"] == pytest.approx(1.7 * 2e-3, **NEAR)
    assert result["laplace_scale"] == pytest.approx(1.7 * 4e-3, **NEAR)


@pytest.mark.parametrize("scope, words", [("personalized", ["does not touch the seed", "seed's owner"]),
                                          ("edge", ["Every edge of the graph", "anyone"])])
def test_the_guarantee_in_words(hushwalk, scope, words):
    out = hushwalk("calibrate", "--epsilon", "1", "--delta", "1e-6", "--scope", scope).stdout
    last = out.strip().splitlines()[-1]
    for word in [*words, "epsilon = 1 ", "delta = 0 ", "Laplace mechanism"]:
        assert word in last
    theorem = hushwalk("account", "--laplace-scale", "8e-6", "--delta", "1e-6", "--scope", scope, "--accountant", "theorem").stdout
    assert ("Theorem 1" if scope == "edge" else "Theorem 2 of Wei, Chien and Li, corrected") in theorem
    assert "delta = 1e-06" in theorem


def test_an_infinite_order_is_a_string(hushwalk):
    result = hushwalk.json("account", "--laplace-scale", "8e-6", "--order", "inf", "--accountant", "shift")
    assert result["order"] == "inf" and result["rdp"] == result["pure_epsilon"]


def test_an_order_without_a_delta_asks_for_the_divergence_there(hushwalk):
    arguments = ["account", "--laplace-scale", "8e-6"]
    pure, result = hushwalk.json(*arguments), hushwalk.json(*arguments, "--order", "2")
    assert result["pure"] is True and result["delta"] is None and result["tau"] is None
    assert result["epsilon"] == result["pure_epsilon"] == pure["epsilon"]
    assert result["accountant"] == pure["accountant"] == "pure" and result["order"] == 2
    shift = hushwalk.json(*arguments, "--order", "2", "--accountant", "shift")
    assert result["rdp"] == shift["rdp"] < pure["rdp"]
    out = hushwalk(*arguments, "--order", "2").stdout
    shown = float(re.search(r"rdp +(\S+) at order 2", out)[1])
    assert result["rdp"] <= shown < result["rdp"] * (1 + 2e-6), "seven digits, rounded up"
    assert "pure, order inf" in out and "0 (pure)" in out


def test_what_reads_no_secret_says_so(hushwalk):
    result = hushwalk.json("account", "--laplace-scale", "1e-6", "--steps", "1", "--delta", "1e-6")
    assert result["epsilon"] == result["pure_epsilon"] == result["rdp"] == 0 and result["pure"] is True
    assert "reads none of them" in result["guarantee"] and "Laplace mechanism" not in result["guarantee"]
    edge = hushwalk.json("account", "--laplace-scale", "1e-6", "--steps", "1", "--scope", "edge")
    assert edge["epsilon"] > 0 and "Laplace mechanism" in edge["guarantee"]


@pytest.mark.parametrize("epsilon, delta", [("1e-3", "4.995e-7"), ("1e-3", "5e-7"), ("1e-3", "7e-7"), ("1e-3", "1e-6"), ("0.1", "0.3")])
def test_calibrations_meet_their_target(hushwalk, epsilon, delta):
    """Also where the preference for a pure guarantee fades."""
    design = ["--mechanism", "output", "--steps", "20", "--delta", delta]
    found = hushwalk.json("calibrate", *design, "--epsilon", epsilon)
    again = hushwalk.json("account", *design, "--laplace-scale", repr(found["laplace_scale"]))
    assert again["epsilon"] == found["epsilon"] <= float(epsilon)
    assert again["epsilon"] == pytest.approx(float(epsilon), rel=1e-9)


@pytest.mark.parametrize("flag", ["--laplace-scale", "--epsilon", "--eta", "--delta"])
@pytest.mark.parametrize("value", ["nan", "inf", "0", "-1", "1e-310", "1e300", "x"])
def test_nonsense_exits_2_and_names_the_flag(hushwalk, flag, value):
    verb = "account" if flag == "--laplace-scale" else "calibrate"
    arguments = {"--epsilon": "1"} if verb == "calibrate" else {}
    arguments[flag] = value
    done = hushwalk(verb, *[part for item in arguments.items() for part in item], code=2)
    assert flag.strip("-").replace("-", "_") in done.stderr.replace("-", "_") and done.stdout == ""


@pytest.mark.parametrize(
    "arguments, code, message",
    [
        (["calibrate"], 2, "--epsilon"),
        (["account"], 2, "--laplace-scale"),
        (["calibrate", "--epsilon", "1", "--mechanism", "twohop"], 2, "--mechanism"),
        (["calibrate", "--epsilon", "1", "--scope", "nobody"], 2, "--scope"),
        (["calibrate", "--epsilon", "1", "--steps", "1"], 2, "needs no noise"),
        (["calibrate", "--epsilon", "1", "--draws", "0"], 2, "draws"),
        (["calibrate", "--epsilon", "1", "--beta", "1"], 2, "beta"),
        (["account", "--laplace-scale", "1", "--order", "1"], 2, "order"),
        (["account", "--laplace-scale", "1", "--accountant", "printed"], 2, "--accountant"),
        (["account", "--laplace-scale", "1", "--accountant", "theorem", "--draws", "1"], 3, "two independent draws"),
        (["account", "--laplace-scale", "1", "--accountant", "theorem", "--mechanism", "output"], 3, "every step"),
        (["account", "--laplace-scale", "1", "--accountant", "composition", "--mechanism", "output"], 3, "every step"),
    ],
)
def test_errors(hushwalk, arguments, code, message):
    done = hushwalk(*arguments, code=code)
    assert message in done.stderr and done.stdout == ""


def test_overflowing_coefficients_are_refused(hushwalk, tmp_path):
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"gamma1": [10] * 2000, "gamma2": [0] * 2000, "gamma3": [-9] * 2000}))
    done = hushwalk("calibrate", "--diffusion", "custom", "--coefficients", path, "--epsilon", "1", code=3)
    assert "no noise can hide an edge" in done.stderr


@pytest.mark.parametrize("accountant", ["best", "theorem", "shift", "composition", "pure"])
@pytest.mark.parametrize("order", [None, "2", "inf"])
def test_no_noise_is_never_free(hushwalk, accountant, order):
    """The printed Theorem 2 says epsilon = 0 here."""
    extra = ["--order", order] if order else []
    result = hushwalk.json("account", "--laplace-scale", "1e-30", "--delta", "1e-6", "--accountant", accountant, *extra)
    assert result["epsilon"] > 1e20 and result["rdp"] > 1e20


@pytest.mark.parametrize("verb", ["calibrate", "account"])
def test_help_has_an_example_that_runs(hushwalk, verb):
    example = hushwalk(verb, "--help").stdout.split("Example:")[1].split()
    assert example[:2] == ["hushwalk", verb]
    assert "epsilon" in hushwalk(*example[1:]).stdout
