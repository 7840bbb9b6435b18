# oneTBB's package on furca, where TBB_DIR is set to this directory: TBB::tbb and TBB::tbbmalloc are
# the look-alike's headers and furca's library. There is no other component.
include("${CMAKE_CURRENT_LIST_DIR}/../furcaConfig.cmake")

set(TBB_INTERFACE_VERSION 12080)
set(TBB_IMPORTED_TARGETS)
get_target_property(furca_include furca::tbb INTERFACE_INCLUDE_DIRECTORIES)
foreach(component IN ITEMS tbb tbbmalloc)
  if(NOT TARGET TBB::${component})
    add_library(TBB::${component} INTERFACE IMPORTED)
    set_target_properties(TBB::${component} PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${furca_include}"
      INTERFACE_LINK_LIBRARIES furca::tbb)
  endif()
  list(APPEND TBB_IMPORTED_TARGETS TBB::${component})
  set(TBB_${component}_FOUND TRUE)
endforeach()
unset(furca_include)

foreach(component IN LISTS TBB_FIND_COMPONENTS)
  if(TBB_FIND_REQUIRED_${component} AND NOT TBB_${component}_FOUND)
    set(TBB_FOUND FALSE)
    set(TBB_NOT_FOUND_MESSAGE "furca has tbb and tbbmalloc in oneTBB's place, and no ${component}")
  endif()
endforeach()
