// How many files and connections this process may have open.
#pragma once

#include <string>

namespace personascope {

// Raises the limit as far as the system allows without asking anybody (to the hard limit). The
// usual 1,024 are too few for a thousand connections beside the store and the outputs.
void raise_open_file_limit();

// Whether nothing more can be opened just now. Some libraries say only that something failed.
bool is_out_of_open_files();

// What to say then: the limit and what to do about it.
std::string describe_open_file_limit();

}  // namespace personascope
