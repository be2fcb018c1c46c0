# personascope_layer(<name> [DEPENDS <layers>] [LIBRARIES <third parties>])
#
# One folder below src/ = one static library `ps_<name>` with every *.cpp in it, one test program
# `<name>_test` with every *_test.cpp, and one check that each header compiles alone.
function(personascope_layer name)
  cmake_parse_arguments(LAYER "" "" "DEPENDS;LIBRARIES" ${ARGN})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.hpp)
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")

  list(TRANSFORM LAYER_DEPENDS PREPEND "ps_" OUTPUT_VARIABLE depends)
  add_library(ps_${name} STATIC ${sources})
  target_sources(ps_${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${headers})
  set_target_properties(ps_${name} PROPERTIES
    VERIFY_INTERFACE_HEADER_SETS ON LINKER_LANGUAGE CXX)
  target_link_libraries(ps_${name} PUBLIC personascope_options ${depends} ${LAYER_LIBRARIES})

  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ps_${name} GTest::gtest GTest::gtest_main)
    gtest_discover_tests(${name}_test TEST_PREFIX "${name}/" DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 120 LABELS ${name})
  endif()
endfunction()
