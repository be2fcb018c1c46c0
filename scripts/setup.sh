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
  local missing=() installed package
  installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
  for package in "${packages[@]}"; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] || missing+=("$package")
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

# What a build prints, to somebody who is not at a terminal: how far it is, now and then, and all that is
# no progress.
now_and_then() {
  local line every=${PROGRESS_EVERY:-10} next=0
  while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      [ "$SECONDS" -ge "$next" ] || [ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ] || continue
      next=$((SECONDS + every))
    fi
    printf '%s\n' "$line"
  done
}

# build PRESET TARGET...: configures if needed, and builds. A folder that was made while the checkout lay
# elsewhere is made anew.
build() {
  local preset=$1 folder=build/$1
  shift
  say "Building ($preset): $*"
  if [ -f "$folder/CMakeCache.txt" ] &&
    ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" "$folder/CMakeCache.txt"; then
    echo "The checkout was moved: $folder is made anew" >&2
    rm -rf "$folder"
  fi
  # Several sources at a time: a whole build takes a third of the time.
  [ -f "$folder/build.ninja" ] || cmake --preset "$preset" -DPERSONASCOPE_UNITY=ON >/dev/null
  if [ -t 1 ]; then
    cmake --build --preset "$preset" --target "$@"
  else
    cmake --build --preset "$preset" --target "$@" | now_and_then
  fi
}
