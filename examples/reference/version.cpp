// Which furca this is.
#include "../expect.hpp"

#include <furca/version.hpp>

#include <cstdio>
#include <string_view>

int main() {
  //! [version]
#if FURCA_VERSION < 100
#error "this program needs furca 0.1"
#endif
  std::printf("headers %s (%d, %d, %d), library %s\n", FURCA_VERSION_STRING, FURCA_VERSION_MAJOR, FURCA_VERSION_MINOR, FURCA_VERSION_PATCH, furca::version());
  //! [version]
  examples::expect(std::string_view(furca::version()) == FURCA_VERSION_STRING, "headers and library belong together");
  return examples::unexpected;
}
