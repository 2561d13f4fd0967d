// The engine for programs in C, and in whatever calls C. The same things as value.h, which C++ programs use, in small:
// compile or load, look up, read, iterate, unify, validate, export.
//
// Everything is a handle. A context belongs to its caller, who ends it with opm_cue_free; it is used by one thread at a
// time. A value is a copyable pair of pointers that lives as long as its context and is never freed. Texts, lists of
// fields and lists of errors belong to the caller and do not need the context any more. A function that takes a value
// takes an invalid one too, and then has nothing to say. Where something can fail, the last argument takes the reasons;
// it can be NULL. No exception leaves a function, and nothing is printed.
#pragma once

#ifdef __cplusplus
#include <cstddef>
#include <cstdint>
extern "C" {
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#endif

// --- errors ---------------------------------------------------------------------------------

typedef struct opm_cue_errors opm_cue_errors;

typedef struct opm_cue_position {
  const char* file;  // as it was named
  uint32_t line;     // from 1
  uint32_t column;   // from 1, in bytes
} opm_cue_position;

// Each is valid as long as the list. NULL is an empty list.
size_t opm_cue_errors_count(const opm_cue_errors* errors);
const char* opm_cue_error_message(const opm_cue_errors* errors, size_t index);  // without path and positions
const char* opm_cue_error_path(const opm_cue_errors* errors, size_t index);     // "" where it is about no field
const char* opm_cue_error_code(const opm_cue_errors* errors, size_t index);     // a stable word; "" where there is none
size_t opm_cue_error_position_count(const opm_cue_errors* errors, size_t index);
opm_cue_position opm_cue_error_position(const opm_cue_errors* errors, size_t index, size_t position);
// All of them as `opm cue` prints them.
const char* opm_cue_errors_text(const opm_cue_errors* errors);
void opm_cue_errors_free(opm_cue_errors* errors);

// --- texts ----------------------------------------------------------------------------------

// Bytes with a 0 behind them, which `length` does not count. data is NULL where there is no text.
typedef struct opm_cue_text {
  char* data;
  size_t length;
} opm_cue_text;

void opm_cue_text_free(opm_cue_text text);

// --- contexts -------------------------------------------------------------------------------

typedef struct opm_cue_context opm_cue_context;

typedef struct opm_cue_value {
  opm_cue_context* context;
  void* node;
} opm_cue_value;

// Evaluation ends with an error when it takes more. 0: the engine's own limit.
typedef struct opm_cue_budget {
  uint64_t steps;
  uint64_t bytes;
} opm_cue_budget;

// To be set to 0 first: fields may be added.
typedef struct opm_cue_load_options {
  const char* directory;         // what arguments are relative to; NULL: the working directory
  const char* const* arguments;  // as behind `opm cue export`: "./schema", "./...", files; none: "."
  size_t argument_count;
  const char* const* tags;  // "key=value" or "word", as behind -t
  size_t tag_count;
  // Where modules are that other programs downloaded ($CUE_CACHE_DIR). NULL: the user's folder for that; "": nowhere.
  // Nothing is downloaded.
  const char* module_cache;
  opm_cue_budget budget;
} opm_cue_load_options;

// CUE source from memory. It can import standard packages. `name` stands in messages. NULL where it does not compile.
opm_cue_context* opm_cue_compile(const char* text, size_t length, const char* name, opm_cue_errors** errors);
opm_cue_context* opm_cue_compile_within(const char* text, size_t length, const char* name, opm_cue_budget budget,
                                        opm_cue_errors** errors);
// Packages and files from disk, with what they import. NULL where one of them can't be read or does not compile.
opm_cue_context* opm_cue_load(const opm_cue_load_options* options, opm_cue_errors** errors);
// A second context of what was loaded, for another thread: nothing is read or compiled again.
opm_cue_context* opm_cue_context_again(const opm_cue_context* context);
void opm_cue_free(opm_cue_context* context);

// The packages that the arguments of opm_cue_load name; one of opm_cue_compile.
size_t opm_cue_instance_count(const opm_cue_context* context);
opm_cue_value opm_cue_instance(opm_cue_context* context, size_t index);

typedef enum opm_cue_format { OPM_CUE_FORMAT_CUE = 0, OPM_CUE_FORMAT_JSON = 1, OPM_CUE_FORMAT_YAML = 2 } opm_cue_format;

// A value of its own, to be unified with others of the context. YAML: one document.
opm_cue_value opm_cue_parse(opm_cue_context* context, opm_cue_format format, const char* text, size_t length,
                            const char* name, opm_cue_errors** errors);
// An expression that sees the fields and imports of an instance.
opm_cue_value opm_cue_expression(opm_cue_context* context, size_t instance, const char* text, size_t length,
                                 opm_cue_errors** errors);

// --- values ---------------------------------------------------------------------------------

typedef enum opm_cue_kind {  // a set of bits
  OPM_CUE_BOTTOM = 0,
  OPM_CUE_NULL = 1,
  OPM_CUE_BOOL = 2,
  OPM_CUE_INT = 4,
  OPM_CUE_FLOAT = 8,
  OPM_CUE_STRING = 16,
  OPM_CUE_BYTES = 32,
  OPM_CUE_FUNCTION = 64,
  OPM_CUE_STRUCT = 128,
  OPM_CUE_LIST = 256
} opm_cue_kind;

bool opm_cue_is_valid(opm_cue_value value);
// `path` is a.b[3]."c d".#E, or b.3 for the element; an invalid value where there is none.
opm_cue_value opm_cue_lookup(opm_cue_value value, const char* path);
opm_cue_value opm_cue_field(opm_cue_value value, const char* name);  // a regular field by its exact name
uint32_t opm_cue_kinds(opm_cue_value value);                         // with its default taken; bottom: an error
bool opm_cue_is_concrete(opm_cue_value value);
bool opm_cue_allows(opm_cue_value value, const char* field);  // whether a field of that name may be added
opm_cue_text opm_cue_path(opm_cue_value value);

// What a concrete scalar is, its default taken. False: it is something else, or does not fit.
bool opm_cue_get_bool(opm_cue_value value, bool* result);
bool opm_cue_get_int64(opm_cue_value value, int64_t* result);
bool opm_cue_get_double(opm_cue_value value, double* result);  // the nearest one
bool opm_cue_get_string(opm_cue_value value, opm_cue_text* result);
bool opm_cue_get_bytes(opm_cue_value value, opm_cue_text* result);
bool opm_cue_get_number(opm_cue_value value, opm_cue_text* result);  // all its digits

// --- fields and elements --------------------------------------------------------------------

enum {  // which fields, beside the regular ones
  OPM_CUE_REGULAR = 0,
  OPM_CUE_DEFINITIONS = 1,
  OPM_CUE_HIDDEN = 2,
  OPM_CUE_OPTIONAL = 4
};

typedef struct opm_cue_fields opm_cue_fields;

// The fields of a struct in their order, or the elements of a list, which have no names. NULL: there is nothing to list.
opm_cue_fields* opm_cue_list_fields(opm_cue_value value, unsigned selection);
size_t opm_cue_fields_count(const opm_cue_fields* fields);
const char* opm_cue_field_name(const opm_cue_fields* fields, size_t index);  // as in a path: quoted where it needs to be
bool opm_cue_field_is_optional(const opm_cue_fields* fields, size_t index);
bool opm_cue_field_is_required(const opm_cue_fields* fields, size_t index);
opm_cue_value opm_cue_field_value(const opm_cue_fields* fields, size_t index);
void opm_cue_fields_free(opm_cue_fields* fields);

// --- what to do with them -------------------------------------------------------------------

// Both have to be of one context.
opm_cue_value opm_cue_unify(opm_cue_value left, opm_cue_value right);
opm_cue_value opm_cue_fill(opm_cue_value value, const char* path, opm_cue_value filled);
// Whether nothing is wrong with it or below it. `concrete`: nor unknown.
bool opm_cue_validate(opm_cue_value value, bool concrete, opm_cue_errors** errors);
// JSON and YAML as `opm cue export` writes them, CUE as `opm cue eval` does; no data where it is in error or, for JSON
// and YAML, not concrete.
opm_cue_text opm_cue_export(opm_cue_value value, opm_cue_format format, opm_cue_errors** errors);

#ifdef __cplusplus
}
#endif
