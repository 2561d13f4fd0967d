// What the program does before its first transfer, as it is linked with archives only; the linker puts this function in the place of
// libcurl's (--wrap).
#include <curl/curl.h>
#include <nss.h>

#include "processor.h"

extern "C" {

CURLcode __real_curl_global_init(long flags);
CURLcode __wrap_curl_global_init(long flags) {
  know_processor();
  // Names of hosts: what the C library can look up by itself. Anything else that a system may have configured it would load from
  // shared libraries, which have to be of the same version as the one in the program.
  __nss_configure_lookup("hosts", "files dns");
  return __real_curl_global_init(flags);
}

}  // extern "C"
