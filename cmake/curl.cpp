// libcurl, loaded when it is first used: it brings two dozen shared libraries along, which
// would make every start of opm several milliseconds slower, network or not. These are the
// functions that src/http calls, passed on.
#include <curl/curl.h>
#include <dlfcn.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>

#undef curl_easy_getinfo
#undef curl_easy_setopt
#undef curl_multi_setopt

namespace {

template <typename Function>
Function* function_of_library(const char* name) {
  static void* const library = dlopen(OPM_CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  void* function = library != nullptr ? dlsym(library, name) : nullptr;
  if (function == nullptr) {
    // Nothing to fall back on, and no caller that could take it: the installation is broken.
    std::fprintf(stderr, "cannot load %s, which opm needs for registries and clusters: %s\n", OPM_CURL_LIBRARY,
                 dlerror());
    std::_Exit(1);
  }
  return reinterpret_cast<Function*>(function);
}

}  // namespace

#define OPM_CURL_FUNCTION(name) static auto* const function = function_of_library<decltype(name)>(#name)

extern "C" {

CURLcode curl_global_init(long flags) {
  OPM_CURL_FUNCTION(curl_global_init);
  return function(flags);
}

CURL* curl_easy_init() {
  OPM_CURL_FUNCTION(curl_easy_init);
  return function();
}

void curl_easy_cleanup(CURL* handle) {
  OPM_CURL_FUNCTION(curl_easy_cleanup);
  function(handle);
}

void curl_easy_reset(CURL* handle) {
  OPM_CURL_FUNCTION(curl_easy_reset);
  function(handle);
}

time_t curl_getdate(const char* text, const time_t* unused) {
  OPM_CURL_FUNCTION(curl_getdate);
  return function(text, unused);
}

const char* curl_easy_strerror(CURLcode code) {
  OPM_CURL_FUNCTION(curl_easy_strerror);
  return function(code);
}

// The number of an option says what its value is.
CURLcode curl_easy_setopt(CURL* handle, CURLoption option, ...) {
  OPM_CURL_FUNCTION(curl_easy_setopt);
  va_list values;
  va_start(values, option);
  CURLcode result;
  if (option < CURLOPTTYPE_OBJECTPOINT) result = function(handle, option, va_arg(values, long));
  else if (option >= CURLOPTTYPE_OFF_T && option < CURLOPTTYPE_BLOB)
    result = function(handle, option, va_arg(values, curl_off_t));
  else result = function(handle, option, va_arg(values, void*));
  va_end(values);
  return result;
}

CURLcode curl_easy_getinfo(CURL* handle, CURLINFO info, ...) {
  OPM_CURL_FUNCTION(curl_easy_getinfo);
  va_list values;
  va_start(values, info);
  CURLcode result = function(handle, info, va_arg(values, void*));
  va_end(values);
  return result;
}

curl_slist* curl_slist_append(curl_slist* list, const char* text) {
  OPM_CURL_FUNCTION(curl_slist_append);
  return function(list, text);
}

void curl_slist_free_all(curl_slist* list) {
  OPM_CURL_FUNCTION(curl_slist_free_all);
  function(list);
}

CURLM* curl_multi_init() {
  OPM_CURL_FUNCTION(curl_multi_init);
  return function();
}

CURLMcode curl_multi_cleanup(CURLM* multi) {
  OPM_CURL_FUNCTION(curl_multi_cleanup);
  return function(multi);
}

CURLMcode curl_multi_add_handle(CURLM* multi, CURL* handle) {
  OPM_CURL_FUNCTION(curl_multi_add_handle);
  return function(multi, handle);
}

CURLMcode curl_multi_remove_handle(CURLM* multi, CURL* handle) {
  OPM_CURL_FUNCTION(curl_multi_remove_handle);
  return function(multi, handle);
}

CURLMcode curl_multi_perform(CURLM* multi, int* running) {
  OPM_CURL_FUNCTION(curl_multi_perform);
  return function(multi, running);
}

CURLMcode curl_multi_poll(CURLM* multi, curl_waitfd* extra, unsigned int count, int milliseconds, int* ready) {
  OPM_CURL_FUNCTION(curl_multi_poll);
  return function(multi, extra, count, milliseconds, ready);
}

CURLMcode curl_multi_wakeup(CURLM* multi) {
  OPM_CURL_FUNCTION(curl_multi_wakeup);
  return function(multi);
}

CURLMsg* curl_multi_info_read(CURLM* multi, int* left) {
  OPM_CURL_FUNCTION(curl_multi_info_read);
  return function(multi, left);
}

CURLMcode curl_multi_setopt(CURLM* multi, CURLMoption option, ...) {
  OPM_CURL_FUNCTION(curl_multi_setopt);
  va_list values;
  va_start(values, option);
  CURLMcode result = static_cast<int>(option) < CURLOPTTYPE_OBJECTPOINT
                         ? function(multi, option, va_arg(values, long))
                         : function(multi, option, va_arg(values, void*));
  va_end(values);
  return result;
}

}  // extern "C"
