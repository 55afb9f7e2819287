# Flags that make faults harder to exploit, for optimised builds of C and C++ without sanitizers. docs/explanation/threat-model.md
# lists the attacks. tests/hardening checks the finished programs and libraries.

if(HEADROOM_SANITIZE OR HEADROOM_FUZZ OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  return()
endif()

include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported()

add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fstack-protector-strong>)
add_compile_definitions($<$<COMPILE_LANGUAGE:C,CXX>:_FORTIFY_SOURCE=2>)
# The first flag is for Intel CPUs (control-flow enforcement), the second for aarch64.
foreach(flag -fcf-protection -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "headroom_has${flag}" available)
  check_cxx_compiler_flag(${flag} ${available})
  if(${available})
    add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:${flag}>)
  endif()
endforeach()
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
