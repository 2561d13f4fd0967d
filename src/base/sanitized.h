// OPM_SANITIZED: this is compiled with a sanitizer that has an allocator of its own, and finds uses of what was given back
// only where that is really gone.
#pragma once

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define OPM_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define OPM_SANITIZED 1
#endif
#endif
