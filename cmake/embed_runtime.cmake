# cmake -DOUTPUT=file.cpp -DROOT=folder -DHEADERS=a.h;b.h -P embed_runtime.cmake
#
# Writes the texts of HEADERS as byte arrays: no text can end an array early, and no compiler limits its length as string
# literals are limited.
set(arrays "")
set(rows "")
set(count 0)
list(SORT HEADERS)
foreach(header IN LISTS HEADERS)
  file(RELATIVE_PATH name "${ROOT}" "${header}")
  file(READ "${header}" bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char file${count}[] = {${bytes}0};\n")
  string(APPEND rows "    RuntimeFile{\"${name}\", {file${count}, ${size}}},\n")
  math(EXPR count "${count} + 1")
endforeach()

file(WRITE "${OUTPUT}.new" "// Made by cmake/embed_runtime.cmake from runtime/include.
#include \"generated/runtime_files.h\"

#include <array>

namespace stencilc {
namespace {

${arrays}
constexpr std::array<RuntimeFile, ${count}> files = {
${rows}};

}  // namespace

std::span<const RuntimeFile> runtime_files() { return files; }

}  // namespace stencilc
")
file(RENAME "${OUTPUT}.new" "${OUTPUT}")
