option(HUSHWALK_TESTS "Build the test suite" OFF)
option(HUSHWALK_FUZZ "Build the fuzz targets (clang only)" OFF)
option(HUSHWALK_BENCH "Build the benchmarks" OFF)
set(HUSHWALK_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined")

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE}")
endif()

# Flags every target of ours is compiled with; not part of the installed interface.
add_library(hushwalk_flags INTERFACE)
target_compile_options(hushwalk_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
if(HUSHWALK_SANITIZE)
  add_compile_options(-fsanitize=${HUSHWALK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HUSHWALK_SANITIZE})
endif()
