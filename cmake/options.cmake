# Compiler options that every target of ours shares.
add_library(personascope_options INTERFACE)
target_compile_options(personascope_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
# The same results on every processor: a product is rounded before it is added to (ARM64 would round
# once, plain x86-64 cannot), and a char has a sign (on ARM64 it has none).
target_compile_options(personascope_options INTERFACE -ffp-contract=off -fsigned-char)
# On ARM64, GCC notes what it passed otherwise before its version 10.
target_compile_options(personascope_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies in plain string concatenation (its bug 105651).
  target_compile_options(personascope_options INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  # Boost 1.74 looks for Clang's coroutines under the name they had before C++20.
  target_compile_definitions(personascope_options INTERFACE
    BOOST_ASIO_HAS_CO_AWAIT BOOST_ASIO_HAS_STD_COROUTINE)
endif()
target_include_directories(personascope_options INTERFACE ${CMAKE_SOURCE_DIR}/src)

if(PERSONASCOPE_SANITIZE)
  target_compile_options(personascope_options INTERFACE
    -fsanitize=${PERSONASCOPE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(personascope_options INTERFACE -fsanitize=${PERSONASCOPE_SANITIZE})
  # Sanitizers inflate GCC's analysis of uninitialised use and of allocation into false alarms inside
  # Boost.
  target_compile_options(personascope_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
    $<$<CXX_COMPILER_ID:GNU>:-Wno-mismatched-new-delete>)
endif()
if(PERSONASCOPE_UNITY)
  # A source that is included no longer counts as the only one that sees its unnamed namespace.
  target_compile_options(personascope_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  # ccache cannot read what GCC makes of precompiled headers otherwise.
  target_compile_options(personascope_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>)
endif()
if(PERSONASCOPE_FUZZ)
  # Coverage for libFuzzer in every library of ours; its main is linked by the targets alone.
  target_compile_options(personascope_options INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(personascope_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(PERSONASCOPE_SANITIZE MATCHES thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # Asio's fences, which the sanitizer does not see, stand beside mutexes, which it does.
  target_compile_options(personascope_options INTERFACE -Wno-tsan)
endif()
