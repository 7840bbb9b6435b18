#include <furca/version.hpp>

namespace furca {

const char* version() noexcept { return FURCA_VERSION_STRING; }

}  // namespace furca
