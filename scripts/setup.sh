# Sourced by the other scripts: installs what is missing and builds. Says what it does.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(g++ cmake ninja-build pkg-config ccache git python3 python3-venv ca-certificates
  libboost-dev libcurl4-openssl-dev nlohmann-json3-dev libfmt-dev libcli11-dev libyaml-cpp-dev
  libsqlite3-dev libzstd-dev libzip-dev libssl-dev libgtest-dev)

say() {
  if [ -t 2 ]; then printf '\n\033[1m== %s\033[0m\n' "$*" >&2; else printf '\n== %s\n' "$*" >&2; fi
}

install_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These Debian packages are missing, and there is neither root nor sudo to install them:" >&2
      echo "  apt-get install ${missing[*]}" >&2
      exit 1
    fi
    root=(sudo)
  fi
  say "Installing ${missing[*]}"
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >/dev/null
}

# build PRESET TARGET...: configures if needed, and builds.
build() {
  local preset=$1
  shift
  say "Building ($preset): $*"
  [ -f "build/$preset/build.ninja" ] || cmake --preset "$preset" >/dev/null
  cmake --build --preset "$preset" --target "$@" -- --quiet
}
