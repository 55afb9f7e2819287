"""Checks the flags of cmake/MolgaugeHardening.cmake in the finished programs and libraries.

    tests/hardening/test_hardening.py build/release

The test reads the ELF files with readelf. It also runs hardening-check (Debian package devscripts) if it is installed.
"""

import platform
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

BUILD = Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/release")
PROGRAMS = [BUILD / "bin/molgauge", BUILD / "lib/molgauge-conformer-worker"]
LIBRARIES = [BUILD / f"lib/lib{name}.so" for name in ("molgauge", "molgauge_core", "molgauge_torch", "memgauge")]


def readelf(*words):
    return subprocess.run(["readelf", "-W", *map(str, words)], check=True, capture_output=True, text=True).stdout


class Hardening(unittest.TestCase):
    def each(self, files=(*PROGRAMS, *LIBRARIES)):
        for file in files:
            with self.subTest(file.name):
                yield file

    def test_files_load_at_any_address(self):
        for file in self.each():
            self.assertRegex(readelf("--file-header", file), r"Type: +DYN")
        for file in self.each(PROGRAMS):
            self.assertRegex(readelf("--dynamic", file), r"FLAGS_1.*\bPIE\b")

    def test_relocations_are_read_only_after_loading(self):
        for file in self.each():
            self.assertIn("GNU_RELRO", readelf("--program-headers", file))
            self.assertRegex(readelf("--dynamic", file), r"FLAGS_1.*\bNOW\b")

    def test_no_segment_is_writable_and_executable(self):
        for file in self.each():
            segments = re.findall(r"^ +(\w+) +0x\S+ 0x\S+ 0x\S+ 0x\S+ 0x\S+ ([R ][W ][E ])", readelf("--program-headers", file),
                                  re.MULTILINE)
            self.assertIn("GNU_STACK", [kind for kind, _ in segments])
            for kind, flags in segments:
                self.assertFalse("W" in flags and "E" in flags, (kind, flags))

    def test_stacks_are_protected(self):
        for file in self.each():
            self.assertIn("__stack_chk_fail", readelf("--dyn-syms", file))

    def test_calls_of_the_c_library_are_checked(self):
        # The conformer worker calls no function that has a checked variant.
        for file in self.each([file for file in (*PROGRAMS, *LIBRARIES) if file.name != "molgauge-conformer-worker"]):
            self.assertRegex(readelf("--dyn-syms", file), r"UND __(?!stack)\w+_chk@")

    @unittest.skipUnless(platform.machine() == "x86_64", "Intel's control-flow enforcement is a feature of x86-64")
    def test_our_objects_are_marked_for_control_flow_enforcement(self):
        # The linker marks a program as protected only if all of its objects are marked. The start files of
        # Debian 12 (Scrt1.o, crti.o) lack the mark, so this test reads our own objects.
        archives = sorted(BUILD.glob("lib/libmolgauge_*.a"))
        self.assertTrue(archives)
        for file in self.each(archives):
            members = re.split(r"^File: ", readelf("--notes", file), flags=re.MULTILINE)[1:]
            self.assertTrue(members)
            for member in members:
                self.assertRegex(member, r"x86 feature: IBT, SHSTK", member.splitlines()[0])

    @unittest.skipUnless(shutil.which("hardening-check"), "hardening-check (Debian package devscripts) is not installed")
    def test_hardening_check_agrees(self):
        for file in self.each():
            ended = subprocess.run(["hardening-check", "--nopie", "--nofortify", "--nocfprotection", file], capture_output=True,
                                   text=True)
            self.assertEqual(ended.returncode, 0, ended.stdout)


if __name__ == "__main__":
    unittest.main()
