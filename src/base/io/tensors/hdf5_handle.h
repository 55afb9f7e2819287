#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include <hdf5.h>

#include "base/core/error.h"

namespace molgauge::io {

/// An HDF5 identifier that is closed with the object.
class Hdf5Handle {
 public:
  Hdf5Handle(hid_t id, herr_t (*closes)(hid_t)) : id_(id), close_(closes) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  ~Hdf5Handle() {
    if (id_ >= 0) {
      close_(id_);
    }
  }
  hid_t get() const { return id_; }
  /// Closes now. Returns a negative number on failure, like HDF5.
  herr_t close() { return close_(std::exchange(id_, -1)); }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

/// Stops HDF5 from printing errors to stderr. Molgauge's exceptions report the failures instead.
class Hdf5Silence {
 public:
  Hdf5Silence() {
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Hdf5Silence() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }
  Hdf5Silence(const Hdf5Silence&) = delete;
  Hdf5Silence& operator=(const Hdf5Silence&) = delete;

 private:
  H5E_auto2_t function_ = nullptr;
  void* data_ = nullptr;
};

/// Whether the last call of HDF5 failed because memory ran out.
inline bool hdf5_had_no_memory() {
  bool no_memory = false;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* target) -> herr_t {
        *static_cast<bool*>(target) |= error->min_num == H5E_NOSPACE && error->maj_num == H5E_RESOURCE;
        return 0;
      },
      &no_memory);
  return no_memory;
}

/// Returns the result of a call of HDF5. If the call failed, throws Failure ("WHAT: cannot ATTEMPT: REASON").
/// REASON does not repeat the error of HDF5, because HDF5 names only its internal functions.
template <typename Failure, typename Result>
Result hdf5_check(Result result, const std::string& what, const std::string& attempt) {
  if (result < 0) {
    if (hdf5_had_no_memory()) {
      throw Failure(what + ": cannot " + attempt + ": there is not enough memory");
    }
    throw Failure(what + ": cannot " + attempt +
                  (std::is_base_of_v<InputError, Failure>
                       ? ": the file is damaged or has another layout. Write it again or name another file"
                       : ": the HDF5 library refuses it. Choose .npy or .safetensors"));
  }
  return result;
}

/// The HDF5 type of UTF-8 texts of variable length.
inline Hdf5Handle text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

/// Writes a text as an attribute of a file. Throws Error naming `path` if this fails.
inline void write_text_attribute(const Hdf5Handle& file, const std::string& name, const std::string& text,
                                 const std::string& path) {
  const auto check = [&](auto result) { return hdf5_check<Error>(result, path, "write"); };
  const Hdf5Handle type = text_type();
  const Hdf5Handle space(check(H5Screate(H5S_SCALAR)), H5Sclose);
  const Hdf5Handle attribute(
      check(H5Acreate2(file.get(), name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT)),
      H5Aclose);
  const char* const characters = text.c_str();
  check(H5Awrite(attribute.get(), type.get(), static_cast<const void*>(&characters)));
}

}  // namespace molgauge::io
