# cmake -D OUT=file.cpp -D HEADER=header.h -D NAMESPACE=name "-DTEXTS=function=path;function=path" -P EmbedText.cmake
# Writes a source in which each function returns the text of its file as a std::string_view. HEADER declares the functions.
set(text "#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n")
foreach(pair IN LISTS TEXTS)
  string(REGEX MATCH "^([^=]+)=(.+)$" found "${pair}")
  set(function ${CMAKE_MATCH_1})
  file(READ "${CMAKE_MATCH_2}" bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND text "\nstd::string_view ${function}() {\n  static constexpr char kText[] = {${bytes}'\\0'};\n"
                     "  return {kText, sizeof(kText) - 1};\n}\n")
endforeach()
file(WRITE ${OUT} "${text}\n}  // namespace ${NAMESPACE}\n")
