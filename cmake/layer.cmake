# personascope_layer(<name> [DEPENDS <layers>] [LIBRARIES <third parties>] [PRECOMPILE <headers>])
#
# One folder below src/ = one static library `ps_<name>` with every *.cpp in it, one test program
# `<name>_test` with every *_test.cpp, and one check that each header compiles alone: those without a
# source of the same name, since the others are the first include of theirs (check_layers.py). That proves
# nothing where several sources are compiled at a time: PERSONASCOPE_ALL_HEADERS checks all of them.
function(personascope_layer name)
  cmake_parse_arguments(LAYER "" "" "DEPENDS;LIBRARIES;PRECOMPILE" ${ARGN})
  set(folder ${CMAKE_CURRENT_SOURCE_DIR})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.hpp)
  set(sourceless ${headers})
  foreach(header IN LISTS headers)
    string(REGEX REPLACE "hpp$" "cpp" source ${header})
    if(source IN_LIST sources)
      list(REMOVE_ITEM sourceless ${header})
    endif()
  endforeach()
  list(REMOVE_ITEM headers ${sourceless})
  set(verified sourceless)
  if(PERSONASCOPE_ALL_HEADERS)
    list(APPEND verified HEADERS)
  endif()
  set(tests ${sources})
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")

  list(TRANSFORM LAYER_DEPENDS PREPEND "ps_" OUTPUT_VARIABLE depends)
  add_library(ps_${name} STATIC ${sources})
  target_sources(ps_${name} PUBLIC FILE_SET HEADERS
    BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${headers})
  target_sources(ps_${name} PUBLIC FILE_SET sourceless TYPE HEADERS
    BASE_DIRS ${CMAKE_SOURCE_DIR}/src FILES ${sourceless})
  set_target_properties(ps_${name} PROPERTIES
    VERIFY_INTERFACE_HEADER_SETS ON INTERFACE_HEADER_SETS_TO_VERIFY "${verified}"
    LINKER_LANGUAGE CXX)
  target_link_libraries(ps_${name} PUBLIC personascope_options ${depends} ${LAYER_LIBRARIES})
  personascope_compile_together(ps_${name} ${LAYER_PRECOMPILE})

  if(tests)
    add_executable(${name}_test ${tests})
    target_link_libraries(${name}_test PRIVATE ps_${name} GTest::gtest GTest::gtest_main)
    personascope_compile_together(${name}_test)
    gtest_discover_tests(${name}_test TEST_PREFIX "${name}/" DISCOVERY_TIMEOUT 60
      PROPERTIES TIMEOUT 120 LABELS ${name})
  endif()
endfunction()
