// Versions, in use.
#include "../expect.hpp"

#include <furca/version.hpp>

#include <cstdio>
#include <string>

namespace {

//! [FURCA_VERSION]
#if FURCA_VERSION >= 100  // 0.1.0
constexpr bool has_scopes = true;
#else
constexpr bool has_scopes = false;
#endif
//! [FURCA_VERSION]

}  // namespace

int main() {
  //! [version]
  if (std::string(furca::version()) != FURCA_VERSION_STRING)
    std::puts("compiled with other headers than the library");
  const std::string numbers = std::to_string(FURCA_VERSION_MAJOR) + "." +
                              std::to_string(FURCA_VERSION_MINOR) + "." +
                              std::to_string(FURCA_VERSION_PATCH);
  //! [version]
  examples::expect(numbers == FURCA_VERSION_STRING && numbers == furca::version(),
                   "headers and library are of one version");
  examples::expect(has_scopes, "this version has scopes");
  return examples::unexpected;
}
