// Where the program's own files are: data, models, libraries. They are found from where the program
// is, so that a folder with all of them can be moved; nothing knows where it was built.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace personascope {

// The folders that may hold "share/personascope" and the like, best first: the one above the
// program's own (of /opt/x/bin/personascope it is /opt/x), then /usr/local and /usr.
std::vector<std::string> list_prefixes();

// The first of these places that is there, without symbolic links: "share/personascope/data".
std::optional<std::string> find_installed(std::string_view place);

// Where it would be beside the program, be it there or not: for messages.
std::string describe_installed(std::string_view place);

}  // namespace personascope
