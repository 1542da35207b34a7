# Writes a C file with the texts of other files: cmake -DROOT=… -DFILES=a|b|… -DOUTPUT=… -P embed.cmake
# The files are named below ROOT. Texts are written byte by byte: C limits the length of a string.

string(REPLACE "|" ";" files "${FILES}")
set(arrays "")
set(entries "")
set(number 0)
foreach(file ${files})
    file(READ ${ROOT}/${file} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND arrays "static const unsigned char text_${number}[] = {\n${bytes}0};\n")
    string(APPEND entries "    {\"${file}\", (const char *)text_${number}},\n")
    math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT}.new "#include \"run/opencl/source.h\"\n\n${arrays}\n"
    "const mnSource mn_embedded[] = {\n${entries}};\n"
    "const int mn_embedded_count = ${number};\n")
file(RENAME ${OUTPUT}.new ${OUTPUT})
