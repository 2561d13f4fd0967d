// For who waits for another thread without sleeping: to be woken by the kernel takes longer than most of what is waited for.
#pragma once

namespace opm::base {

// Leaves the processor's units to the other thread of its core.
inline void pause() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

}  // namespace opm::base
