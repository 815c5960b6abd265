# One object library per room of src/ (see src/layers.txt), linked to the rooms on the floors below it,
# and the one library `hushwalk` made of them all.

# hushwalk_room([LIBRARIES library...] [HEADER_ONLY library...]): the target of the calling folder, from all its
# sources. A room nobody has moved into yet is an interface target.
function(hushwalk_room)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "LIBRARIES;HEADER_ONLY")
  cmake_path(GET CMAKE_CURRENT_SOURCE_DIR FILENAME room)
  set(target hushwalk_${room})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(NOT sources)
    add_library(${target} INTERFACE)
    return()
  endif()
  add_library(${target} OBJECT ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(${target} PRIVATE hushwalk_flags ${arg_LIBRARIES} ${arg_HEADER_ONLY} ${floors_below})
  target_link_libraries(hushwalk PRIVATE ${arg_LIBRARIES})
  target_sources(hushwalk PRIVATE $<TARGET_OBJECTS:${target}>)
endfunction()

add_library(hushwalk STATIC)
add_library(hushwalk::hushwalk ALIAS hushwalk)
target_compile_features(hushwalk PUBLIC cxx_std_20)
target_include_directories(hushwalk PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                                           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(hushwalk PROPERTIES LINKER_LANGUAGE CXX)

file(STRINGS ${PROJECT_SOURCE_DIR}/src/layers.txt floors REGEX "^floor ")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/layers.txt)
set(floors_below "")
foreach(floor IN LISTS floors)
  string(REGEX REPLACE "^floor " "" floor "${floor}")
  string(REPLACE " " ";" rooms "${floor}")
  foreach(room IN LISTS rooms)
    add_subdirectory(src/${room})
  endforeach()
  list(TRANSFORM rooms PREPEND hushwalk_)
  list(APPEND floors_below ${rooms})
endforeach()
