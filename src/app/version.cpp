#include "app/version.hpp"

namespace personascope::app {

std::string_view version() {
  return PERSONASCOPE_VERSION;
}

}  // namespace personascope::app
