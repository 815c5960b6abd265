option(HUSHWALK_TESTS "Build the test suite" OFF)
option(HUSHWALK_PYTHON "Build the Python module" OFF)
option(HUSHWALK_MPI "Build hushwalk-mpi, for graphs spread over several machines (PETSc, Open MPI)" OFF)
option(HUSHWALK_FUZZ "Build the fuzz targets (clang only)" OFF)
option(HUSHWALK_BENCH "Build the benchmarks" OFF)
set(HUSHWALK_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined")

find_program(CCACHE ccache)
if(CCACHE)  # the second setting lets it keep what uses precompiled headers
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE}")
endif()

# Flags every target of ours is compiled with; not part of the installed interface.
add_library(hushwalk_flags INTERFACE)
target_compile_options(hushwalk_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)  # -Wconversion is wider than that of g++, and libstdc++'s own stable_sort is called deprecated
  target_compile_options(hushwalk_flags INTERFACE -Wno-sign-conversion -Wno-deprecated-declarations)
endif()

if(CMAKE_UNITY_BUILD)  # what is unnamed in one file of a batch is not so in the next
  target_compile_options(hushwalk_flags INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

# hushwalk_light(target header...): for what has no hot loop (the command line, tests, rooms of words) and spends its time in the
# compiler: less optimisation, under sanitizers none. The headers, all from elsewhere, are read once.
function(hushwalk_light target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1> $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
  if(HUSHWALK_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
  if(ARGN)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

if(HUSHWALK_SANITIZE)
  add_compile_options(-fsanitize=${HUSHWALK_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${HUSHWALK_SANITIZE})
endif()
