// Tables of options for the documentation, from the descriptions of the options.
#pragma once

#include <string>
#include <string_view>

namespace personascope::cli {

// A Markdown table of the options of `group`: a command ("batch"), a word with commands below it
// ("gym"), which are then named beside each option, or "engine": what all of them share.
std::string render_option_docs(std::string_view group);

// The text with the table between each `<!-- options GROUP -->` and `<!-- end of options -->` made
// anew.
std::string fill_option_docs(std::string_view text);

}  // namespace personascope::cli
