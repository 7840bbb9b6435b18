#include "calls.hpp"

long first_object() { return call_furca<1>(); }

int main() { return first_object() == 999'003 && second_object() == 999'003 ? 0 : 1; }
