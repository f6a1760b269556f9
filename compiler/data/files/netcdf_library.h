// The functions of the NetCDF library that stencilc calls. The library is loaded when a NetCDF file
// is read or written; the build needs neither it nor its headers.
#pragma once

#include <cstddef>
#include <string>

namespace stencilc::data {

// Constants of netcdf.h.
namespace nc {
enum Type { byte = 1, character, int16, int32, float32, float64, ubyte, uint16, uint32, int64 };
inline constexpr int global = -1, netcdf4 = 0x1000, writable = 1, max_name = 256, no_error = 0;
inline constexpr size_t unlimited = 0;
struct Memory {
  size_t size;
  void* memory;
  int flags;
};
}  // namespace nc

struct NetcdfLibrary {
  const char* (*strerror)(int);
  int (*create)(const char*, int, int*);
  int (*create_mem)(const char*, int, size_t, int*);
  int (*close_memio)(int, nc::Memory*);
  int (*open_mem)(const char*, int, size_t, void*, int*);
  int (*open)(const char*, int, int*);
  int (*close)(int);
  int (*def_dim)(int, const char*, size_t, int*);
  int (*def_var)(int, const char*, int, int, const int*, int*);
  int (*def_var_deflate)(int, int, int, int, int);
  int (*enddef)(int);
  int (*put_att_text)(int, int, const char*, size_t, const char*);
  int (*put_att_uchar)(int, int, const char*, int, size_t, const unsigned char*);
  int (*put_var)(int, int, const void*);
  int (*put_vara)(int, int, const size_t*, const size_t*, const void*);
  int (*inq_nvars)(int, int*);
  int (*inq_varname)(int, int, char*);
  int (*inq_varid)(int, const char*, int*);
  int (*inq_vartype)(int, int, int*);
  int (*inq_varndims)(int, int, int*);
  int (*inq_vardimid)(int, int, int*);
  int (*inq_dimlen)(int, int, size_t*);
  int (*inq_dimname)(int, int, char*);
  int (*inq_att)(int, int, const char*, int*, size_t*);
  int (*get_att_double)(int, int, const char*, double*);
  int (*get_var)(int, int, void*);
  int (*get_vara)(int, int, const size_t*, const size_t*, void*);
};

// The library, or nothing and why. The environment variable STENCILC_NETCDF may name its file.
const NetcdfLibrary* netcdf_library(std::string& problem);

}  // namespace stencilc::data
