"""Conan 2, in a clone: conan create src/packaging/conan, with CMake installed."""
from pathlib import Path

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

TOP = Path(__file__).resolve().parents[3]


class Furca(ConanFile):
    name = 'furca'
    license = 'MIT'
    description = 'Fork-join data parallelism for C++20: join, parallel_for, parallel_reduce'
    topics = ('parallel', 'fork-join', 'work-stealing')
    package_type = 'library'
    settings = 'os', 'compiler', 'build_type', 'arch'
    options = {'shared': [True, False], 'fPIC': [True, False]}
    default_options = {'shared': False, 'fPIC': True}
    implements = ['auto_shared_fpic']

    def set_version(self):
        text = load(self, TOP / 'meson.build')
        self.version = text.split("version: '")[1].split("'")[0]

    def export_sources(self):
        for pattern in ('LICENSE', 'meson.build', 'include/*', 'src/*'):
            copy(self, pattern, TOP, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeToolchain(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder='src')
        cmake.build()

    def package(self):
        package = Path(self.package_folder)
        copy(self, 'LICENSE', self.source_folder, package / 'licenses')
        copy(self, '*', Path(self.source_folder, 'include'), package / 'include')
        for pattern in ('*.a', '*.lib', '*.so*', '*.dylib'):
            copy(self, pattern, self.build_folder, package / 'lib', keep_path=False)
        copy(self, '*.dll', self.build_folder, package / 'bin', keep_path=False)

    def package_info(self):
        library = self.cpp_info.components['core']
        library.set_property('cmake_target_name', 'furca::furca')
        library.set_property('pkg_config_name', 'furca')
        library.libs = ['furca']
        if self.settings.os == 'Windows':
            library.system_libs = ['synchronization']
        elif self.settings.os in ('Linux', 'FreeBSD'):
            library.system_libs = ['pthread']
        tbb = self.cpp_info.components['tbb']
        tbb.set_property('cmake_target_name', 'furca::tbb')
        tbb.set_property('pkg_config_name', 'furca-tbb')
        tbb.includedirs = ['include/furca/compat']
        tbb.requires = ['core']
