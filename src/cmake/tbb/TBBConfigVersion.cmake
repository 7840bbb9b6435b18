# The look-alike's version, that of <tbb/version.h>; it stands for older ones, too. furca must be
# for the same processor.
include("${CMAKE_CURRENT_LIST_DIR}/../furcaConfigVersion.cmake")
set(PACKAGE_VERSION 2021.8.0)
set(PACKAGE_VERSION_COMPATIBLE FALSE)
set(PACKAGE_VERSION_EXACT FALSE)
if(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_COMPATIBLE TRUE)
endif()
if(PACKAGE_VERSION VERSION_EQUAL PACKAGE_FIND_VERSION)
  set(PACKAGE_VERSION_EXACT TRUE)
endif()
