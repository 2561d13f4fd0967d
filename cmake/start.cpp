// The way from the kernel to main(), in the place of the one in the archive of the C library: glibc 2.36 on x86-64. With any other,
// CMakeLists.txt leaves this out, and the program starts as the C library has it.
//
// That one asks the processor 68 questions first: what it can, and twelve times over what caches it has. On a virtual machine each
// goes to the host and back and takes some four microseconds: all of them a quarter of a millisecond, half of what `opm version` takes
// and a tenth of a render. The answers choose between copies of functions on strings and numbers; without them the C library takes
// those that every x86-64 processor has. They are as fast for texts as short as ours, and as a side effect the results of `math`'s
// functions do not depend on the processor.
//
// What follows is what glibc does otherwise, in its order, with functions of its archive that no header declares. Not done: the
// jump that lets the first thread end by pthread_exit(), and telling debuggers about shared libraries, of which there are none.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include <elf.h>

extern "C" {

// Of the C library's archive.
extern char** __environ;
extern void* __libc_stack_end;
extern int __libc_enable_secure;
extern std::uintptr_t* _dl_random;
extern const void* _dl_sysinfo_dso;
void _dl_aux_init(Elf64_auxv_t* values);
void __tunables_init(char** environment);
void __libc_setup_tls();
void __libc_early_init(bool is_first);
void __libc_init_first(int count, char** arguments, char** environment);
void __libc_check_standard_fds();
int __cxa_atexit(void (*function)(void*), void* argument, void* library);

// Of the linker.
using Function = void(int, char**, char**);
extern const Elf64_Rela __rela_iplt_start[] __attribute__((weak));
extern const Elf64_Rela __rela_iplt_end[] __attribute__((weak));
extern Function* const __preinit_array_start[];
extern Function* const __preinit_array_end[];
extern Function* const __init_array_start[];
extern Function* const __init_array_end[];
extern void (*const __fini_array_start[])();
extern void (*const __fini_array_end[])();
void _init();
void _fini();

// What the functions on strings go by, where the archive's start would put what it was told of the caches: sizes that every
// processor of the last ten years has, and copies of more than three megabytes past them.
long __x86_data_cache_size_half = 32 * 1024 / 2;
long __x86_data_cache_size = 32 * 1024;
long __x86_shared_cache_size_half = 1024 * 1024 / 2;
long __x86_shared_cache_size = 1024 * 1024;
long __x86_shared_non_temporal_threshold = 3 * 1024 * 1024;
long __x86_rep_movsb_threshold = 2048;
long __x86_rep_stosb_threshold = 2048;
long __x86_rep_movsb_stop_threshold = 3 * 1024 * 1024;
int __x86_string_control = 0;

// Where the program lies is asked of the kernel for the sake of shared libraries that stand beside it, of which there are none.
const char* __wrap__dl_get_origin() {
  constexpr std::intptr_t kUnknown = -1;
  return reinterpret_cast<const char*>(kUnknown);
}

}  // extern "C"

namespace {

// Whether somebody wants anything of the C library: otherwise each variable would be held against each of its settings.
bool may_tune(char** environment) {
  auto begins_with = [](const char* text, const char* word) {
    while (*word != '\0' && *text == *word) ++text, ++word;
    return *word == '\0';
  };
  for (; *environment != nullptr; ++environment) {
    if (begins_with(*environment, "GLIBC_TUNABLES") || begins_with(*environment, "MALLOC_") || begins_with(*environment, "LD_")) return true;
  }
  return false;
}

// Functions of which there are several copies: each says which one to take.
void choose_copies() {
  for (const Elf64_Rela* entry = __rela_iplt_start; entry < __rela_iplt_end; ++entry) {
    auto choose = reinterpret_cast<std::uintptr_t (*)()>(entry->r_addend);
    *reinterpret_cast<std::uintptr_t*>(entry->r_offset) = choose();
  }
}

void call_all(Function* const* function, Function* const* end, int count, char** arguments, char** environment) {
  for (; function < end; ++function) (*function)(count, arguments, environment);
}

void finish(void*) {
  std::ptrdiff_t count = __fini_array_end - __fini_array_start;
  while (count > 0) __fini_array_start[--count]();
  _fini();
}

}  // namespace

extern "C" [[noreturn]] int __libc_start_main(int (*main)(int, char**, char**), int count, char** arguments, void (*)(), void (*)(),
                                              void (*at_exit)(), void* stack_end) {
  char** environment = arguments + count + 1;
  __environ = environment;
  __libc_stack_end = stack_end;
  char** end = environment;
  while (*end != nullptr) ++end;
  _dl_aux_init(reinterpret_cast<Elf64_auxv_t*>(end + 1));
  // The kernel's own functions for the time take longer to be found than a run that reads the clock twice gains by them.
  _dl_sysinfo_dso = nullptr;
  if (may_tune(environment)) __tunables_init(environment);
  choose_copies();
  __libc_setup_tls();
  // Random numbers from the kernel: what is put behind the frames of functions, and what pointers in jump buffers are mixed with.
  std::uintptr_t canary = _dl_random[0] & ~std::uintptr_t{0xFF};
  asm volatile("movq %0, %%fs:0x28" : : "r"(canary));
  asm volatile("movq %0, %%fs:0x30" : : "r"(_dl_random[1]));
  if (at_exit != nullptr) __cxa_atexit(reinterpret_cast<void (*)(void*)>(at_exit), nullptr, nullptr);
  __libc_early_init(true);
  __libc_init_first(count, arguments, environment);
  __cxa_atexit(finish, nullptr, nullptr);
  if (__libc_enable_secure != 0) __libc_check_standard_fds();
  call_all(__preinit_array_start, __preinit_array_end, count, arguments, environment);
  _init();
  call_all(__init_array_start, __init_array_end, count, arguments, environment);
  std::exit(main(count, arguments, environment));
}
