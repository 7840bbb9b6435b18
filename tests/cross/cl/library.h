// What Microsoft's headers have, Wine's lack, and libc++ or furca uses.
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <wchar.h>

#define NOMINMAX
#define WIN32_LEAN_AND_MEAN
#define _WIN32_WINNT 0x0A00
#define _InterlockedCompareExchange128 compare_exchange_128  // clang has it
#include <windows.h>

struct timespec {
  time_t tv_sec;
  long tv_nsec;
};

#define MB_CUR_MAX 1
extern "C" {
int _islower_l(int, _locale_t);
int _isupper_l(int, _locale_t);
float _strtof_l(const char*, char**, _locale_t);
double _strtod_l(const char*, char**, _locale_t);
double nan(const char*);
long double atan2l(long double, long double);

BOOL WINAPI GetProcessGroupAffinity(HANDLE, USHORT*, USHORT*);
BOOL WINAPI GetThreadGroupAffinity(HANDLE, GROUP_AFFINITY*);
BOOL WINAPI SetThreadGroupAffinity(HANDLE, const GROUP_AFFINITY*, GROUP_AFFINITY*);
void WINAPI GetCurrentThreadStackLimits(ULONG_PTR*, ULONG_PTR*);
}

struct JOBOBJECT_CPU_RATE_CONTROL_INFORMATION {
  DWORD ControlFlags;
  DWORD CpuRate;
};
constexpr auto JobObjectCpuRateControlInformation = static_cast<JOBOBJECTINFOCLASS>(15);
#define JOB_OBJECT_CPU_RATE_CONTROL_ENABLE 1
#define JOB_OBJECT_CPU_RATE_CONTROL_HARD_CAP 4

#undef isfinite
#undef isinf
#undef isnan
#undef signbit
inline bool isfinite(double x) { return __builtin_isfinite(x); }
inline bool isinf(double x) { return __builtin_isinf(x); }
inline bool isnan(double x) { return __builtin_isnan(x); }
inline bool signbit(double x) { return __builtin_signbit(x); }
