# Sets compiler and linker flags that make faults harder to exploit, in optimised builds without sanitizers.
# docs/explanation/threat-model.md lists the attacks. tests/hardening checks the finished programs and libraries.

if(MOLGAUGE_SANITIZE OR MOLGAUGE_FUZZ OR CMAKE_BUILD_TYPE STREQUAL "Debug")
  return()
endif()

include(CheckCXXCompilerFlag)
include(CheckPIESupported)
check_pie_supported()

add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:-fstack-protector-strong>)
add_compile_definitions($<$<COMPILE_LANGUAGE:C,CXX>:_FORTIFY_SOURCE=2>)
# Control-flow protection on x86-64, and the corresponding protection on aarch64.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(flag -fcf-protection)
else()
  set(flag -mbranch-protection=standard)
endif()
check_cxx_compiler_flag(${flag} MOLGAUGE_HAS_CONTROL_FLOW_PROTECTION)
if(MOLGAUGE_HAS_CONTROL_FLOW_PROTECTION)
  add_compile_options($<$<COMPILE_LANGUAGE:C,CXX>:${flag}>)
endif()
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
