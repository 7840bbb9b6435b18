#pragma once

// The library's own: another's of the same name is another function.
[[gnu::visibility("hidden")]] long sum(long n);
