#include <furca/furca.hpp>

int main() {}
