import pytest


@pytest.fixture(scope="session")
def command_line(hushwalk):
    """The program, under a name that leaves the module its own."""
    return hushwalk
