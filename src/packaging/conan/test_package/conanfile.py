"""The consumers' test, built with the package and run."""
from pathlib import Path

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class Compute(ConanFile):
    settings = 'os', 'compiler', 'build_type', 'arch'
    generators = 'CMakeDeps'

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        self.folders.root = '../../../..'
        cmake_layout(self, src_folder='tests/consumers/compute')

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False  # that file would lie in the tree
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if can_run(self):
            for program in ('compute', 'onetbb'):
                self.run(Path(self.build_folder, program), env='conanrun')
