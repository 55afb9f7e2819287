"""Tests the libraries that the wheel contains in place of cairo and libcurl (packaging/substitutes).

    tests/wheel/test_substitutes.py build/release

No call may end the process. Each function fails as the real library does.
"""

import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release").resolve()
ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = [BUILD / "lib/libmolgauge.so", BUILD / "lib/molgauge-conformer-worker"]

#: Calls every function of cairo that the substitute exports, and prints the results. The surface and the context are nil
#: objects. The real library returns nil objects with CAIRO_STATUS_NO_MEMORY if there is too little memory for the pixels.
CAIRO = """
import ctypes, json, resource, sys
cairo = ctypes.CDLL(sys.argv[1])
names = json.loads(sys.argv[2])
pointers = ("cairo_create", "cairo_get_target", "cairo_image_surface_create", "cairo_reference")
for name in pointers:
    if name in names:
        getattr(cairo, name).restype = ctypes.c_void_p
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
surface = ctypes.c_void_p(cairo.cairo_image_surface_create(0, 32767, 32767))
context = ctypes.c_void_p(cairo.cairo_create(surface))
assert surface.value and context.value
written = []
writer = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint)(lambda *_: written.append(1) or 0)
numbers = (ctypes.c_double * 6)(*range(1, 7))
x, y = ctypes.c_double(7), ctypes.c_double(8)
d = ctypes.c_double
arguments = {
    "cairo_curve_to": [context, *map(d, range(6))],
    "cairo_get_current_point": [context, ctypes.byref(x), ctypes.byref(y)],
    "cairo_line_to": [context, d(1), d(2)],
    "cairo_move_to": [context, d(1), d(2)],
    "cairo_rectangle": [context, *map(d, range(4))],
    "cairo_select_font_face": [context, b"sans", 0, 0],
    "cairo_set_dash": [context, (d * 2)(1, 2), 2, d(0)],
    "cairo_set_font_size": [context, d(3)],
    "cairo_set_line_cap": [context, 1],
    "cairo_set_line_join": [context, 1],
    "cairo_set_line_width": [context, d(3)],
    "cairo_set_source_rgba": [context, *map(d, range(4))],
    "cairo_show_text": [context, b"C"],
    "cairo_surface_status": [surface],
    "cairo_surface_write_to_png": [surface, b"/dev/null"],
    "cairo_surface_write_to_png_stream": [surface, writer, None],
    "cairo_text_extents": [context, b"C", numbers],
}
give_number = ("cairo_get_line_cap", "cairo_get_line_join", "cairo_get_reference_count", "cairo_status",
               "cairo_surface_status", "cairo_surface_write_to_png", "cairo_surface_write_to_png_stream")
found = {}
last = ("cairo_destroy", "cairo_surface_destroy")
for name in [one for one in names if one not in (*last, "cairo_create", "cairo_image_surface_create")] + list(last):
    target = surface if name == "cairo_surface_destroy" else context
    result = getattr(cairo, name)(*arguments.get(name, [target]))
    found[name] = bool(result) if name in pointers else result if name in give_number else None
found["written"], found["point"], found["extents"] = written, [x.value, y.value], list(numbers)
print(json.dumps(found))
"""

#: Calls every function of libcurl that the substitute exports, with a null handle, and prints the results.
CURL = """
import ctypes, json, sys
curl = ctypes.CDLL(sys.argv[1])
for name in ("curl_easy_init", "curl_slist_append"):
    getattr(curl, name).restype = ctypes.c_void_p
arguments = {
    "curl_easy_setopt": [None, 10002, b"http://localhost"],
    "curl_global_init": [ctypes.c_long(3)],
    "curl_slist_append": [None, b"Range: 1-2"],
    "curl_easy_cleanup": [None], "curl_easy_perform": [None], "curl_slist_free_all": [None],
}
void = ("curl_global_cleanup", "curl_easy_cleanup", "curl_slist_free_all")
found = {}
for name in json.loads(sys.argv[2]):
    result = getattr(curl, name)(*arguments.get(name, []))
    found[name] = None if name in void else result
print(json.dumps(found))
"""

#: Opens a file in an object store with HDF5. No byte goes to the network, because the address belongs to this
#: machine.
REMOTE_HDF5 = """
import ctypes, ctypes.util, sys
hdf5 = ctypes.CDLL(ctypes.util.find_library("hdf5_serial"))
class Driver(ctypes.Structure):
    _fields_ = [("version", ctypes.c_int32), ("authenticate", ctypes.c_bool), ("region", ctypes.c_char * 33),
                ("id", ctypes.c_char * 129), ("key", ctypes.c_char * 129)]
hdf5.H5open()
for function, arguments in ((hdf5.H5Pcreate, [ctypes.c_int64]), (hdf5.H5Pset_fapl_ros3, [ctypes.c_int64, ctypes.POINTER(Driver)]),
                            (hdf5.H5Fopen, [ctypes.c_char_p, ctypes.c_uint, ctypes.c_int64])):
    function.argtypes, function.restype = arguments, ctypes.c_int64
access = hdf5.H5Pcreate(ctypes.c_int64.in_dll(hdf5, "H5P_CLS_FILE_ACCESS_ID_g").value)
if not hasattr(hdf5, "H5Pset_fapl_ros3") or hdf5.H5Pset_fapl_ros3(access, Driver(1, False)) < 0:
    sys.exit("no driver")
print(hdf5.H5Fopen(b"http://127.0.0.1:9/features.h5", 0, access))
"""

#: Draws, and reads and writes LMDB and HDF5, with libmolgauge. Prints checksums of all results. The arguments are an empty
#: folder, a run of `molgauge pocket train`, the graphs of its pockets and their ligands in HDF5.
MOLGAUGE = """
import hashlib, os, sys
import molgauge
from molgauge._html import drawings
from molgauge._session import session
folder, run, graphs, ligands = sys.argv[1:]
molecules = ["CC(=O)Oc1ccccc1C(=O)O", "c1ccccc1", "C[N+](C)(C)CC(=O)[O-]", "CCO"]
def show(name, content):
    print(name, hashlib.sha256(content).hexdigest())
def read(file):
    with open(file, "rb") as opened:
        return opened.read()
os.chdir(folder)
encoder = molgauge.Encoder("ecfp", store="store")
show("new rows", encoder(molecules).tobytes())
show("stored rows", encoder(molecules).tobytes())
assert encoder.report_["from_store"] == len(molecules), encoder.report_
with open("m.smi", "w") as file:
    file.write("".join(one + chr(10) for one in molecules))
session().run("encode", {"molecules": "m.smi", "encoder": "ecfp", "store": "store", "out": "rows.h5"})
show("written HDF5", read("rows.h5"))
session().run("pocket_search", {"encoder": run, "graphs": graphs, "ligands": ligands, "out": "matches.json"})
show("read HDF5", read("matches.json"))
show("drawings", "".join(drawings(molecules, None)).encode())
loaded = [line.split()[-1] for line in open("/proc/self/maps") if "libcairo.so" in line or "libcurl.so" in line]
print("libraries", sorted(set(os.path.dirname(os.path.realpath(one)) for one in loaded)))
"""


def exported(library):
    lines = subprocess.run(["nm", "--dynamic", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    words = [line.split() for line in lines.splitlines()]
    return sorted(one[2].split("@")[0] for one in words if one[1] == "T")


def child(code, *arguments, folder=None, **variables):
    """Runs Python in a new process. The dynamic linker looks in `folder` first."""
    environment = {**os.environ, **variables, **({"LD_LIBRARY_PATH": str(folder)} if folder else {})}
    words = [sys.executable, "-c", textwrap.dedent(code), *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, env=environment, timeout=300)


class Substitutes(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.work = Path(folder.name)
        cls.folder = cls.work / "substitutes"
        ended = cls.built(cls.folder, *LIBRARIES)
        assert ended.returncode == 0, ended.stderr

    @staticmethod
    def built(folder, *libraries):
        words = [ROOT / "scripts" / "wheel-substitutes", folder, *libraries]
        return subprocess.run([str(word) for word in words], capture_output=True, text=True)

    def results(self, code, library):
        import json

        own = self.folder / library
        real = subprocess.run(["/sbin/ldconfig", "-p"], check=True, capture_output=True, text=True).stdout
        real = next(line.split()[-1] for line in real.splitlines() if line.split()[:1] == [library])
        answers = []
        for file in (own, real):
            ended = child(code, file, json.dumps(exported(own)))
            self.assertEqual(ended.returncode, 0, (file, ended.stderr))
            answers.append(json.loads(ended.stdout))
        for name in exported(own):
            if name not in ("cairo_create", "cairo_image_surface_create"):
                self.assertIn(name, answers[0])
        return answers

    def test_are_built_for_what_the_libraries_import(self):
        self.assertEqual(sorted(one.name for one in self.folder.iterdir()), ["libcairo.so.2", "libcurl.so.4"])
        for file in self.folder.iterdir():
            imported = subprocess.run(["nm", "--dynamic", "--undefined-only", file], check=True, capture_output=True, text=True)
            self.assertNotIn(" U ", imported.stdout)  # imports nothing, not even abort

    def test_cairo_answers_as_the_real_one_does_without_memory(self):
        own, real = self.results(CAIRO, "libcairo.so.2")
        self.assertEqual(own, real)
        self.assertEqual(own["cairo_surface_write_to_png_stream"], 1)  # CAIRO_STATUS_NO_MEMORY
        self.assertEqual((own["written"], own["point"], own["extents"]), ([], [0, 0], [0] * 6))

    def test_curl_answers_as_the_real_one_does_for_the_null_handle(self):
        own, real = self.results(CURL, "libcurl.so.4")
        made = {"curl_global_init": 2, "curl_easy_init": None, "curl_slist_append": None}
        self.assertEqual({name: own.pop(name) for name in made}, made)  # the real library succeeds in these calls
        self.assertEqual(own, {name: result for name, result in real.items() if name not in made})

    def test_drawing_a_bitmap_is_an_error_and_an_svg_is_the_same(self):
        compiler = shutil.which("c++")
        if compiler is None or not Path("/usr/include/rdkit").is_dir():
            self.skipTest("needs a C++ compiler and the headers of RDKit")
        program, here = self.work / "draw", Path(__file__).parent
        words = [compiler, "-std=c++20", here / "draw_program.cpp", "-I", here, "-isystem", "/usr/include/rdkit",
                 "-lRDKitMolDraw2D", "-lRDKitSmilesParse", "-lRDKitGraphMol", "-lRDKitRDGeneral",
                 self.folder / "libcairo.so.2", "-o", program]
        subprocess.run([str(word) for word in words], check=True)

        def draw(kind, **variables):
            return subprocess.run([program, kind], capture_output=True, env={**os.environ, **variables})

        for kind in ("png", "png-with-texts"):
            self.assertTrue(draw(kind).stdout.startswith(b"\x89PNG"))
            failed = draw(kind, LD_LIBRARY_PATH=str(self.folder))
            self.assertEqual((failed.returncode, failed.stdout), (3, b""))
            self.assertIn(b"PNG header not recognized", failed.stderr)
        self.assertIn(b"<svg", draw("svg").stdout)
        self.assertEqual(draw("svg", LD_LIBRARY_PATH=str(self.folder)).stdout, draw("svg").stdout)

    def test_a_remote_hdf5_file_is_an_error(self):
        ended = child(REMOTE_HDF5, folder=self.folder)
        if "no driver" in ended.stderr or "H5Pset_fapl_ros3" in ended.stderr:
            self.skipTest("the driver for object stores is missing in this HDF5")
        self.assertEqual((ended.returncode, ended.stdout), (0, "-1\n"), ended.stderr)
        self.assertIn("unable to initialize curl global", ended.stderr)

    def test_molgauge_draws_and_reads_the_same(self):
        if child("import numpy").returncode != 0:
            self.skipTest("the Python package needs NumPy")
        subprocess.run([BUILD / "bin/made_up_pockets", self.work / "pockets", *"20 2 20 40 16".split()], check=True, capture_output=True)
        graphs, ligands = self.work / "pockets/graphs", self.work / "pockets/ligands.h5"
        words = [BUILD / "bin/molgauge", "pocket", "train", graphs, "--ligands", ligands, "--run", self.work / "run", "--epochs", 1,
                 "--hidden-irreps", "8x0e + 4x1o", "--num-layers", 1, "--threads", 2, "--quiet"]
        subprocess.run([str(word) for word in words], check=True, capture_output=True)
        outputs = []
        for number, folder in enumerate((None, self.folder)):
            place = self.work / str(number)
            place.mkdir()
            ended = child(MOLGAUGE, place, self.work / "run", graphs, ligands, folder=folder, PYTHONPATH=str(ROOT / "python"),
                          MOLGAUGE_LIBRARY=str(LIBRARIES[0]))
            self.assertEqual(ended.returncode, 0, ended.stderr)
            *lines, libraries = ended.stdout.splitlines()
            outputs.append(lines)
            self.assertEqual(libraries == f"libraries {[str(self.folder)]}", folder is not None, libraries)
        self.assertEqual(len(outputs[0]), 5)
        self.assertEqual(outputs[0], outputs[1])

    def test_a_function_without_a_substitute_is_refused(self):
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("needs a C compiler")
        for call, name, real in (("cairo_paint", "libcairo.so.2", "cairo.c"), ("curl_multi_init", "libcurl.so.4", "curl.c")):
            source, library = self.work / f"{call}.c", self.work / f"{call}.so"
            source.write_text(f"void {call}(void); void draw(void) {{ {call}(); }}")
            target = next(Path(folder) / name for folder in ("/lib/x86_64-linux-gnu", "/usr/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu")
                          if (Path(folder) / name).exists())
            subprocess.run([compiler, "-shared", "-fPIC", source, target, "-o", library], check=True)
            ended = self.built(self.work / call, library)
            self.assertEqual(ended.returncode, 1)
            self.assertRegex(ended.stderr, f"{library}.*no substitute: {call}\\. Add them to packaging/substitutes/{real}")


if __name__ == "__main__":
    unittest.main()
