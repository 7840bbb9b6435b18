// What Apple documents of this header, and furca uses of it; the SDK of macOS 14.4 has the header.
#pragma once

#include <stddef.h>
#include <stdint.h>

extern "C" {

enum os_sync_wait_on_address_flags_t : uint32_t { OS_SYNC_WAIT_ON_ADDRESS_NONE };
enum os_sync_wake_by_address_flags_t : uint32_t { OS_SYNC_WAKE_BY_ADDRESS_NONE };

int os_sync_wait_on_address(void* address, uint64_t value, size_t size,
                            os_sync_wait_on_address_flags_t flags);
int os_sync_wake_by_address_any(void* address, size_t size, os_sync_wake_by_address_flags_t flags);
int os_sync_wake_by_address_all(void* address, size_t size, os_sync_wake_by_address_flags_t flags);

}  // extern "C"
