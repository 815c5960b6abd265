"""CMake builds the module; setuptools puts it where wheels want it.

HUSHWALK_BUILD names a build folder that was configured with HUSHWALK_PYTHON=ON (`make wheel` gives its own), so that the
library is not compiled again. Without it the whole library is built, in a folder of its own."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext

ROOT = pathlib.Path(__file__).resolve().parent
VERSION = re.search(r"project\(hushwalk VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


class FreshBuild(build):
    """What an earlier build left beside the package would be packed with it."""

    def run(self):
        shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


class CMakeBuild(build_ext):
    def build_extension(self, ext):
        given = os.environ.get("HUSHWALK_BUILD")
        build = pathlib.Path(given or self.build_temp).resolve() / ("" if given else "cmake")
        if not given:
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                            "-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=8",
                            "-DHUSHWALK_PYTHON=ON", f"-DPython_EXECUTABLE={sys.executable}"], check=True)
        subprocess.run(["cmake", "--build", build, "--target", "hushwalk_python", "-j", os.environ.get("JOBS", "2")], check=True)
        target = pathlib.Path(self.get_ext_fullpath(ext.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        [module] = (build / "python/hushwalk").glob("_core.*.so")
        shutil.copy2(module, target)
        subprocess.run(["strip", "--strip-unneeded", target], check=True)


setup(version=VERSION, ext_modules=[Extension("hushwalk._core", sources=[])], cmdclass={"build": FreshBuild, "build_ext": CMakeBuild})
