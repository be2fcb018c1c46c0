// Data sets of the Hugging Face hub: which files a set has, and fetching them, checked.
//
// Settings are those of huggingface_hub: HF_ENDPOINT; the token in HF_TOKEN, or in the file that
// `huggingface-cli login` leaves (HF_TOKEN_PATH, HF_HOME). The token goes to the endpoint alone.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"
#include "files/environment.hpp"
#include "http/client.hpp"

namespace personascope::run {

struct HubAccess {
  std::string endpoint;  // without a slash at its end
  Secret token;          // empty if there is none
};
// Fails as Invalid if the endpoint is no address, or would get the token unprotected.
Result<HubAccess> find_hub_access(const files::Environment& environment);

struct HubFile {
  std::string path;  // in the data set; each part of it is a safe name
  std::uint64_t size = 0;
  std::string sha256;    // of large files
  std::string git_sha1;  // of all others
};

struct HubListing {
  std::string repo;
  std::string commit;
  std::vector<HubFile> files;
};

// The set's files at a revision (a branch, tag or commit), and the commit that it is. `repo` is
// OWNER/NAME. Fails as Invalid on a name that cannot be one, as Unauthorized with what to do about
// it, as NotFound, as Unparsable, and as http::Client::send does.
Task<Result<HubListing>> list_hub_files(http::Client& client, const HubAccess& access,
                                        std::string repo, std::string revision);

// Parses the hub's answer; exposed for tests.
Result<HubListing> parse_hub_listing(std::string_view body, const std::string& repo);

enum class Fetched { Now, Before };
// Fetches a file into the folder, under its path, and checks size and hash; one that is there and
// whole is left alone, one that was fetched in part is continued. Fails also as Unparsable if the
// hash is another one than announced; the file is then removed.
Task<Result<Fetched>> fetch_hub_file(http::Client& client, const HubAccess& access,
                                     const HubListing& listing, const HubFile& file,
                                     std::string folder,
                                     std::function<void(std::uint64_t)> on_bytes);

}  // namespace personascope::run
