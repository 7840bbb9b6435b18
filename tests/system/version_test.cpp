// There is one version: Meson's, the header's, the library's and the changelog's are the same.
// Without doctest, so that it costs nothing.
#include <furca/version.hpp>

#include <cstdio>
#include <cstring>

// The arguments: what meson.build says, and CHANGELOG.md.
int main(int argc, char** argv) {
  if (argc != 3) return 2;
  int failed = 0;
  const auto expect = [&failed](const char* what, const char* version) {
    if (std::strcmp(version, FURCA_VERSION_STRING) == 0) return;
    std::printf("FAILED: %s says %s, and FURCA_VERSION_STRING in include/furca/version.hpp %s\n",
                what, version, FURCA_VERSION_STRING);
    failed = 1;
  };

  char numbers[40];
  std::snprintf(numbers, sizeof numbers, "%d.%d.%d", FURCA_VERSION_MAJOR, FURCA_VERSION_MINOR,
                FURCA_VERSION_PATCH);
  expect("FURCA_VERSION_MAJOR, MINOR and PATCH", numbers);
  std::snprintf(numbers, sizeof numbers, "%d.%d.%d", FURCA_VERSION / 10000,
                FURCA_VERSION / 100 % 100, FURCA_VERSION % 100);
  expect("FURCA_VERSION", numbers);
  expect("furca::version()", furca::version());
  expect("meson.build", argv[1]);

  std::FILE* const changelog = std::fopen(argv[2], "r");
  char line[200];
  char newest[200] = "nothing";
  while (changelog != nullptr && std::fgets(line, sizeof line, changelog) != nullptr)
    if (std::strncmp(line, "## ", 3) == 0 && std::sscanf(line, "## %199s", newest) == 1 &&
        std::strcmp(newest, "Unreleased") != 0)
      break;
  expect("the newest heading of CHANGELOG.md", newest);
  if (changelog != nullptr) std::fclose(changelog);
  return failed;
}
