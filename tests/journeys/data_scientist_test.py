"""A data scientist has a CSV from a spreadsheet and wants recommendations for one customer, then for all of them."""
import csv
import json

import pytest

PURCHASES = [("Smith, Ann", "tea"), ("Smith, Ann", "cups"), ("Bob", "tea"), ("Bob", "honey"), ("Eve", "cups"), ("Eve", "honey"),
             ('Lee "Kid"', "tea"), ('Lee "Kid"', "honey")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("journey")
    with open(folder / "orders.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=";", lineterminator="\r\n")
        writer.writerow(["order", "customer", "product"])
        for number, (customer, product) in enumerate(PURCHASES, 1):
            writer.writerow([number, customer, product])
    (folder / "products.txt").write_text("tea\ncups\nhoney\n")
    return folder


def test_the_first_try_says_what_to_do(hushwalk, folder):
    """A table is given where a graph belongs, with the wrong marks: one message leads on."""
    done = hushwalk("rank", "orders.csv", "--seed", "Bob", "--epsilon", 1, code=1, cwd=folder)
    assert "'orders.csv':1:" in done.stderr and "--delimiter semicolon" in done.stderr
    assert "hushwalk import orders.csv -o G.hwg" in done.stderr and "x0d" not in done.stderr and "\r" not in done.stderr


def test_the_second_try_reads_the_wrong_columns_and_says_so(hushwalk, folder):
    done = hushwalk("import", "orders.csv", "--delimiter", "semicolon", "-o", "wrong.hwg", cwd=folder)
    assert "order" in done.stderr and "--columns" in done.stderr


def test_the_graph_is_read(hushwalk, folder):
    done = hushwalk("import", "orders.csv", "--delimiter", "semicolon", "--columns", "customer,product", "-o", "orders.hwg", cwd=folder)
    assert "orders.hwg: 7 nodes, 8 edges (from 8 lines" in done.stdout
    assert "must be public" in done.stderr


def test_products_for_one_customer(hushwalk, folder):
    ask = ["rank", "orders.hwg", "--seed", "Smith, Ann", "--epsilon", 2, "--candidates", "products.txt", "--exclude-neighbors"]
    done = hushwalk(*ask, cwd=folder)
    lines = done.stdout.splitlines()
    assert lines[0] == "seed Smith, Ann (private)" and lines[2].split()[:2] == ["1", "honey"], "the one she has not bought"
    assert len([line for line in lines if line.strip()[:1].isdigit()]) == 1
    assert "Protected:  every single edge that does not touch the seed." in lines and "nobody is keeping count" in done.stderr
    assert "did you mean 'Smith, Ann'?" in hushwalk("rank", "orders.hwg", "--seed", "Smith Ann", "--exact", code=2, cwd=folder).stderr


def test_a_table_for_the_spreadsheet(hushwalk, folder):
    hushwalk("rank", "orders.hwg", "--seed", 'Lee "Kid"', "--epsilon", 2, "--format", "csv", "-o", "lee.csv", cwd=folder)
    with open(folder / "lee.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {row["seed"] for row in rows} == {'Lee "Kid"'} and "Smith, Ann" in {row["node"] for row in rows}
    assert all(float(row["noise_sd"]) > 0 for row in rows)
    assert "holds" in hushwalk("verify-certificate", "lee.csv", cwd=folder).stdout


def test_everybody_gets_a_file(hushwalk, folder):
    (folder / "customers.txt").write_text('Smith, Ann\nBob\nEve\nLee "Kid"\n')
    done = hushwalk("rank", "orders.hwg", "--seeds-file", "customers.txt", "--epsilon", 1, "--candidates", "products.txt", "--output-dir", "out",
                    cwd=folder)
    assert "4 files in 'out'" in done.stdout
    names = sorted(path.name for path in (folder / "out").iterdir())
    assert names == ["Bob.json", "Eve.json", "Lee%20%22Kid%22.json", "Smith%2C%20Ann.json"]
    for name in names:
        assert [row["node"] for row in json.loads((folder / "out" / name).read_text())["rankings"][0]["top"]] != []
        assert "holds" in hushwalk("verify-certificate", folder / "out" / name).stdout
