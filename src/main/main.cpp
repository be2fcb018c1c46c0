#include "cli/program.hpp"

int main(int argc, char** argv) {
  return personascope::cli::run(argc, argv);
}
