// OpenSSL's question what the processor can, put off until something is to be gained by the answer: cmake/openssl.cpp.
#pragma once

#ifdef __x86_64__
void know_processor();
#else
inline void know_processor() {}
#endif
