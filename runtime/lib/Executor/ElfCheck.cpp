// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads just enough of an ELF file to know what loading it would do.
#include "dtrt/ElfCheck.h"

#include <algorithm>
#include <cstring>
#include <elf.h>
#include <string_view>
#include <vector>

using dtensor::Error;
using dtensor::Status;

namespace {

/// The imports that kernels may have. libm's names stand for the f32 forms
/// ("expf") too.
constexpr const char *kMemoryFunctions[] = {"memcpy", "memmove", "memset"};
constexpr const char *kMathFunctions[] = {
    "acos",      "acosh", "asin",      "asinh", "atan",      "atan2", "atanh",
    "cbrt",      "ceil",  "copysign",  "cos",   "cosh",      "erf",   "erfc",
    "exp",       "exp2",  "expm1",     "fabs",  "floor",     "fma",   "fmax",
    "fmin",      "fmod",  "hypot",     "ldexp", "lgamma",    "log",   "log10",
    "log1p",     "log2",  "nearbyint", "pow",   "remainder", "rint",  "round",
    "roundeven", "sin",   "sinh",      "sqrt",  "tan",       "tanh",  "tgamma",
    "trunc"};

bool isAllowedImport(std::string_view name) {
  for (const char *allowed : kMemoryFunctions)
    if (name == allowed)
      return true;
  if (!name.empty() && name.back() == 'f' && name != "erf")
    name.remove_suffix(1);
  for (const char *allowed : kMathFunctions)
    if (name == allowed)
      return true;
  return false;
}

class ElfReader {
public:
  ElfReader(const uint8_t *data, size_t size) : data(data), size(size) {}

  Status check() {
    if (Status status = header(); !status)
      return status;
    if (Status status = dynamicSection(); !status)
      return status;
    return imports();
  }

private:
  static Error fail(const std::string &what) {
    return Error{"the kernels section " + what};
  }

  /// Entry `index` of a table, or false where it leaves the file.
  template <typename T>
  bool entry(uint64_t offset, uint64_t index, T &out) const {
    uint64_t at = 0;
    if (__builtin_mul_overflow(index, sizeof(T), &at) ||
        __builtin_add_overflow(at, offset, &at) || at > size ||
        size - at < sizeof(T))
      return false;
    std::memcpy(&out, data + at, sizeof(T));
    return true;
  }

  Status header() {
    if (!entry(0, 0, elf) || std::memcmp(elf.e_ident, ELFMAG, SELFMAG) != 0)
      return fail("is not an ELF file");
    if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_machine != EM_X86_64)
      return fail("is not for x86-64");
    if (elf.e_type != ET_DYN)
      return fail("is not a shared object");
    if (elf.e_shentsize != sizeof(Elf64_Shdr) ||
        elf.e_phentsize != sizeof(Elf64_Phdr))
      return fail("has tables of an unknown format");
    return Status::success();
  }

  Status dynamicSection() {
    for (uint64_t i = 0; i < elf.e_phnum; ++i) {
      Elf64_Phdr segment;
      if (!entry(elf.e_phoff, i, segment))
        return fail("is truncated");
      if (segment.p_type != PT_DYNAMIC)
        continue;
      for (uint64_t k = 0; k < segment.p_filesz / sizeof(Elf64_Dyn); ++k) {
        Elf64_Dyn item;
        if (!entry(segment.p_offset, k, item))
          return fail("is truncated");
        if (item.d_tag == DT_NULL)
          break;
        if (runsCode(item.d_tag))
          return fail("has constructors or destructors");
      }
    }
    return Status::success();
  }

  static bool runsCode(Elf64_Sxword tag) {
    return tag == DT_INIT || tag == DT_FINI || tag == DT_INIT_ARRAY ||
           tag == DT_FINI_ARRAY || tag == DT_PREINIT_ARRAY;
  }

  Status imports() {
    bool found = false;
    for (uint64_t i = 0; i < elf.e_shnum; ++i) {
      Elf64_Shdr section, strings;
      if (!entry(elf.e_shoff, i, section))
        return fail("is truncated");
      if (section.sh_type != SHT_DYNSYM)
        continue;
      found = true;
      if (!entry(elf.e_shoff, section.sh_link, strings))
        return fail("is truncated");
      for (uint64_t k = 1; k < section.sh_size / sizeof(Elf64_Sym); ++k)
        if (Status status = symbol(section, strings, k); !status)
          return status;
    }
    return found ? Status::success() : Status(fail("has no symbol table"));
  }

  Status symbol(const Elf64_Shdr &section, const Elf64_Shdr &strings,
                uint64_t index) {
    Elf64_Sym symbol;
    if (!entry(section.sh_offset, index, symbol) || strings.sh_offset > size ||
        strings.sh_size > size - strings.sh_offset ||
        symbol.st_name >= strings.sh_size)
      return fail("is truncated");
    const char *text = reinterpret_cast<const char *>(data) +
                       strings.sh_offset + symbol.st_name;
    std::string_view name(text,
                          ::strnlen(text, strings.sh_size - symbol.st_name));
    if (ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC)
      return fail("chooses '" + std::string(name) + "' by code at load time");
    if (symbol.st_shndx != SHN_UNDEF || isAllowedImport(name))
      return Status::success();
    return fail("imports '" + std::string(name) +
                "', which is not on the list of allowed functions");
  }

  const uint8_t *data;
  size_t size;
  Elf64_Ehdr elf = {};
};

} // namespace

Status dtrt::checkKernelObject(const uint8_t *data, size_t size) {
  return ElfReader(data, size).check();
}
