# Where the program finds its files: data, models and llama.cpp's libraries, from its own place. The
# build folder has the same form as an installation, with links into the checkout.
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/personascope ${CMAKE_BINARY_DIR}/lib
  ${CMAKE_BINARY_DIR}/libexec/personascope)
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/data ${CMAKE_BINARY_DIR}/share/personascope/data SYMBOLIC)
file(CREATE_LINK ${PERSONASCOPE_MODELS} ${CMAKE_BINARY_DIR}/share/personascope/models SYMBOLIC)
file(CREATE_LINK ${PERSONASCOPE_LLAMA}/lib ${CMAKE_BINARY_DIR}/lib/personascope SYMBOLIC)
# Where scripts/setup-parquet puts the program that reads Parquet files.
file(CREATE_LINK ${CMAKE_SOURCE_DIR}/.cache/parquet-26.0.0/bin/parquet_rows
  ${CMAKE_BINARY_DIR}/libexec/personascope/parquet_rows SYMBOLIC)

set_target_properties(personascope PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/personascope")
install(TARGETS personascope RUNTIME DESTINATION bin)

# The libraries, with links for the names by which they are loaded.
install(DIRECTORY ${PERSONASCOPE_LLAMA}/lib/ DESTINATION lib/personascope
  USE_SOURCE_PERMISSIONS FILES_MATCHING PATTERN "lib*.so*")
# They know the folder where they were built; here each is loaded by the program, or after those
# that it needs.
install(CODE [[
  file(GLOB libraries "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/lib/personascope/lib*.so*")
  foreach(library IN LISTS libraries)
    if(NOT IS_SYMLINK ${library})
      file(RPATH_REMOVE FILE ${library})
    endif()
  endforeach()
]])

install(DIRECTORY ${CMAKE_SOURCE_DIR}/data DESTINATION share/personascope)
install(FILES ${PERSONASCOPE_MODELS}/smollm2-135m.gguf ${PERSONASCOPE_MODELS}/smollm2-135m.gguf.sha256
  DESTINATION share/personascope/models)

install(FILES LICENSE NOTICE README.md CHANGELOG.md DESTINATION share/doc/personascope)
install(DIRECTORY docs DESTINATION share/doc/personascope)
install(FILES ${PERSONASCOPE_LLAMA}/source/LICENSE DESTINATION share/doc/personascope
  RENAME LICENSE.llama.cpp)

# The program writes its own manual page and completion scripts.
set(made ${CMAKE_BINARY_DIR}/made)
install(CODE "
  file(MAKE_DIRECTORY ${made})
  function(write_made file)
    execute_process(COMMAND $<TARGET_FILE:personascope> \${ARGN} OUTPUT_FILE ${made}/\${file}
      COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  write_made(personascope.1 man)
  write_made(personascope completion bash)
  write_made(_personascope completion zsh)
  write_made(personascope.fish completion fish)
")
install(FILES ${made}/personascope.1 DESTINATION share/man/man1)
install(FILES ${made}/personascope DESTINATION share/bash-completion/completions)
install(FILES ${made}/_personascope DESTINATION share/zsh/vendor-completions)
install(FILES ${made}/personascope.fish DESTINATION share/fish/vendor_completions.d)

# cpack -G DEB in the build folder makes a package of all that.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME personascope)
set(CPACK_PACKAGE_VENDOR "Personascope")
set(CPACK_PACKAGE_CONTACT "the Personascope project <personascope@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Measures how well language models play personas")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS librsvg2-bin)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PERSONASCOPE_LLAMA}/lib)
include(CPack)
