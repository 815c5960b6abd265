# Sphinx: the Markdown of the repository, and the public headers through Doxygen.
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]
XML = ROOT / "build" / "doxygen"

project = "Hushwalk"
author = "The Hushwalk authors"
extensions = ["myst_parser", "breathe"]
html_theme = "furo"
breathe_projects = {"hushwalk": str(XML / "xml")}
breathe_default_project = "hushwalk"
myst_heading_anchors = 3
exclude_patterns = ["Doxyfile"]
cpp_id_attributes = ["noexcept"]

XML.mkdir(parents=True, exist_ok=True)
settings = f"""
INPUT = {ROOT / 'include'}
RECURSIVE = YES
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
OUTPUT_DIRECTORY = {XML}
QUIET = YES
EXTRACT_ALL = YES
MULTILINE_CPP_IS_BRIEF = YES
WARN_IF_UNDOCUMENTED = NO
"""
subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
