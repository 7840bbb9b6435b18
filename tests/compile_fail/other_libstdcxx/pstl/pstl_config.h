// Of a libstdc++ that there is not yet.
#define _PSTL_VERSION 99000
