# How a whole build takes a third of the time (PERSONASCOPE_UNITY): several files of a target are compiled
# at a time, and the third-party headers that nearly all of them include are compiled once.

set(personascope_precompiled
  <algorithm> <array> <chrono> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional>
  <set> <span> <string> <string_view> <thread> <vector>
  <fmt/format.h> <nlohmann/json.hpp>
  <boost/asio/awaitable.hpp> <boost/asio/co_spawn.hpp> <boost/asio/io_context.hpp>
  <boost/asio/redirect_error.hpp> <boost/asio/steady_timer.hpp> <boost/asio/use_awaitable.hpp>)

# The target whose precompiled headers all layers share. They all depend on `base`, so that they are
# compiled with its options.
function(personascope_precompile)
  if(NOT PERSONASCOPE_UNITY)
    return()
  endif()
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/precompiled.cpp CONTENT "// Only carries the headers.\n")
  add_library(ps_precompiled STATIC ${CMAKE_BINARY_DIR}/precompiled.cpp)
  target_link_libraries(ps_precompiled PRIVATE personascope_options
    fmt::fmt nlohmann_json::nlohmann_json Boost::headers OpenSSL::Crypto Threads::Threads)
  target_precompile_headers(ps_precompiled PRIVATE ${personascope_precompiled})
endfunction()

# personascope_compile_together(<target> [<header>...])
#
# With headers of its own, a target gets them precompiled beside the others.
function(personascope_compile_together target)
  if(NOT PERSONASCOPE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
  if(ARGN)
    target_precompile_headers(${target} PRIVATE ${personascope_precompiled} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ps_precompiled)
  endif()
endfunction()
