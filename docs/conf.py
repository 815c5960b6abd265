# Sphinx: the Markdown of the repository, the public headers through Doxygen, the Python module through its docstrings (without its
# compiled part), and the command line through the --help of the built program. Nothing is fetched.
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
XML = ROOT / "build" / "doxygen"
PROGRAM = os.environ.get("HUSHWALK", str(ROOT / "build/release/hushwalk"))

sys.dont_write_bytecode = True
sys.path[:0] = [str(ROOT / "packaging"), str(ROOT / "python")]
import command_line
import reference
from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

project = "Hushwalk"
author = copyright = "The Hushwalk authors"
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc"]
html_theme = "furo"
html_title = "Hushwalk"
html_show_sphinx = False
html_copy_source = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
smartquotes = False  # flags begin with two hyphens
breathe_projects = {"hushwalk": str(XML / "xml")}
breathe_default_project = "hushwalk"
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]
html_math_renderer = "mathml"
cpp_id_attributes = ["noexcept"]
autodoc_mock_imports = ["hushwalk._core", "numpy"]
autodoc_typehints = "signature"

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
MAX_INITIALIZER_LINES = 0
WARN_IF_UNDOCUMENTED = NO
"""
subprocess.run(["doxygen", "-"], input=settings, text=True, check=True)
for file in (XML / "xml").glob("*.xml"):  # designated initializers, which Sphinx cannot read
    text = file.read_text()
    shorter = re.sub(r"<initializer>= *\{\..*?</initializer>", "", text)
    if shorter != text:
        file.write_text(shorter)


def fill(app, name, source):
    if name == "command-line":
        source[0] = re.sub(r"<!--.*?-->", lambda _: reference.reference(command_line.read(PROGRAM)), source[0])


def formula(inline):
    """As MathML, which browsers draw by themselves: no script, no fonts, no pictures."""
    def show(translator, node):
        translator.body.append(tex2mathml(node.astext(), inline=inline))
        raise nodes.SkipNode
    return show, None


def repair_theme(app, error):
    """Debian's furo wants a web server: its script is in two modules, and a style sheet is taken from the server's root."""
    static = pathlib.Path(app.outdir) / "_static"
    script, styles = static / "scripts/furo.js", static / "styles/furo.css"
    if error or not script.exists():
        return
    name, text = re.compile(r'^import Gumshoe from "./(.*)";\n'), script.read_text()
    if found := name.match(text):
        script.write_text((script.parent / found[1]).read_text() + name.sub("", text))
    served = "/javascript/normalize.css/normalize.css"
    if served in styles.read_text():
        (styles.parent / "normalize.css").write_text(pathlib.Path("/usr/share" + served).read_text())
        styles.write_text(styles.read_text().replace(served, "normalize.css"))


def setup(app):
    app.add_html_math_renderer("mathml", formula(inline=True), formula(inline=False))
    app.connect("source-read", fill)
    app.connect("build-finished", repair_theme)
