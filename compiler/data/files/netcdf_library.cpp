#include "data/files/netcdf_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <vector>

namespace stencilc::data {
namespace {

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

bool find_all(void* from, NetcdfLibrary& to) {
  return find(from, "nc_strerror", to.strerror) && find(from, "nc_create", to.create) &&
         find(from, "nc_create_mem", to.create_mem) &&
         find(from, "nc_close_memio", to.close_memio) && find(from, "nc_open_mem", to.open_mem) &&
         find(from, "nc_open", to.open) && find(from, "nc_close", to.close) &&
         find(from, "nc_def_dim", to.def_dim) && find(from, "nc_def_var", to.def_var) &&
         find(from, "nc_def_var_deflate", to.def_var_deflate) &&
         find(from, "nc_enddef", to.enddef) && find(from, "nc_put_att_text", to.put_att_text) &&
         find(from, "nc_put_att_uchar", to.put_att_uchar) && find(from, "nc_put_var", to.put_var) &&
         find(from, "nc_put_vara", to.put_vara) && find(from, "nc_inq_nvars", to.inq_nvars) &&
         find(from, "nc_inq_varname", to.inq_varname) && find(from, "nc_inq_varid", to.inq_varid) &&
         find(from, "nc_inq_vartype", to.inq_vartype) &&
         find(from, "nc_inq_varndims", to.inq_varndims) &&
         find(from, "nc_inq_vardimid", to.inq_vardimid) &&
         find(from, "nc_inq_dimlen", to.inq_dimlen) &&
         find(from, "nc_inq_dimname", to.inq_dimname) && find(from, "nc_inq_att", to.inq_att) &&
         find(from, "nc_get_att_double", to.get_att_double) &&
         find(from, "nc_get_var", to.get_var) && find(from, "nc_get_vara", to.get_vara);
}

struct Loaded {
  NetcdfLibrary library;
  std::string problem;  // or ""
};

Loaded load() {
  // A series of snapshots grows while others have it open. Without this the HDF5 library refuses to
  // write into a file that another process reads.
  setenv("HDF5_USE_FILE_LOCKING", "FALSE", 0);
  const char* const given = std::getenv("STENCILC_NETCDF");
  const std::vector<std::string> names =
      given != nullptr ? std::vector<std::string>{given}
                       : std::vector<std::string>{"libnetcdf.so.22", "libnetcdf.so.19",
                                                  "libnetcdf.so.18", "libnetcdf.so"};
  Loaded loaded;
  for (const std::string& name : names) {
    void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    if (find_all(library, loaded.library)) return loaded;
    loaded.problem = fmt::format("`{}` lacks functions of NetCDF 4.6.2 and later", name);
    dlclose(library);
    return loaded;
  }
  loaded.problem =
      given != nullptr
          ? fmt::format("the library `{}` that STENCILC_NETCDF names cannot be loaded", given)
          : "the NetCDF library is not installed (Debian: `apt-get install libnetcdf19`); "
            "STENCILC_NETCDF may name its file";
  return loaded;
}

}  // namespace

const NetcdfLibrary* netcdf_library(std::string& problem) {
  static const Loaded loaded = load();
  problem = loaded.problem;
  return problem.empty() ? &loaded.library : nullptr;
}

}  // namespace stencilc::data
