# cmake -D OUT=file.cpp -D FOLDER=folder -D NAMES=a;b -P EmbedFiles.cmake
# Writes a source with the bytes of the files, as returned by molgauge::serve::resources().
set(text "#include \"server/resources.h\"\n\nnamespace molgauge::serve {\nnamespace {\n\n")
set(rows "")
set(number 0)
foreach(name IN LISTS NAMES)
  file(READ ${FOLDER}/${name} bytes HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND text "constexpr char kFile${number}[] = {${bytes}'\\0'};\n")
  string(APPEND rows "      {\"${name}\", {kFile${number}, sizeof(kFile${number}) - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
string(APPEND text "\n}  // namespace\n\nconst std::vector<Resource>& resources() {\n  static const std::vector<Resource> files = {\n${rows}  };\n  return files;\n}\n\n}  // namespace molgauge::serve\n")
file(WRITE ${OUT} "${text}")
