# SPDX-License-Identifier: MIT
# Of Spack 1: spack repo add packaging/spack/spack_repo/reprise, then in the clone: spack dev-build reprise@main
from spack.package import conflicts, depends_on, license, variant, version
from spack_repo.builtin.build_systems.cmake import CMakePackage, generator


class Reprise(CMakePackage):
    """Records an MPI program once as one compressed trace, and replays it on platform models of other machines."""

    version("main")

    license("MIT", checked_by="reprise")

    variant("recorder", default=True, description="the recorder, the live replay and the probe, which need MPI")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("simgrid@3.32:3")
    depends_on("boost@1.74: +program_options")
    depends_on("nlohmann-json@3.11:")
    depends_on("expat")
    depends_on("elfutils")
    depends_on("zstd libs=shared,static")
    depends_on("xxhash")
    depends_on("otf2")
    depends_on("zlib-api")
    depends_on("mpi", when="+recorder")
    depends_on("boost +container cxxflags=-fPIC", when="+recorder")
    depends_on("libunwind", when="+recorder")

    generator("ninja")

    conflicts("%gcc@:11", msg="C++20 as g++ 12 has it")
    conflicts("platform=darwin", msg="the recorder is preloaded by the dynamic linker of Linux")

    def cmake_args(self):
        return [
            self.define_from_variant("REPRISE_BUILD_RECORDER", "recorder"),
            self.define("REPRISE_BUILD_TESTS", False),
        ]

    def setup_run_environment(self, env):
        env.prepend_path("PYTHONPATH", self.prefix.share.reprise.python)
        env.set("REPRISE_ROOT", self.prefix)
