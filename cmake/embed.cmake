# personascope_embed(<target> <symbol> <file>)
#
# Makes the text of <file> part of <target> as `extern const std::string_view <symbol>` in
# namespace personascope::embedded, so that the program needs no data folder at run time.
function(personascope_embed target symbol file)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} text)
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"#include <string_view>
namespace personascope::embedded {
extern const std::string_view @symbol@;
const std::string_view @symbol@ = R\"embedded_text(@text@)embedded_text\";
}  // namespace personascope::embedded
")
  target_sources(${target} PRIVATE ${output})
endfunction()
