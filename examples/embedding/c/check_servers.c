// Checks a YAML file against a schema in CUE and prints it as JSON, with defaults filled in:
//   check_servers FOLDER FILE
// FOLDER has a CUE package with a definition #Servers.
#include <cue/c_api.h>
#include <stdio.h>
#include <stdlib.h>

static int complain(opm_cue_errors* errors) {
  for (size_t i = 0; i < opm_cue_errors_count(errors); ++i) {
    fprintf(stderr, "%s: %s\n", opm_cue_error_path(errors, i), opm_cue_error_message(errors, i));
    for (size_t j = 0; j < opm_cue_error_position_count(errors, i); ++j) {
      opm_cue_position position = opm_cue_error_position(errors, i, j);
      fprintf(stderr, "    %s:%u:%u\n", position.file, position.line, position.column);
    }
  }
  opm_cue_errors_free(errors);
  return 1;
}

static char* read_file(const char* path, size_t* length) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) return NULL;
  size_t room = 1 << 20;
  char* text = malloc(room);
  *length = text == NULL ? 0 : fread(text, 1, room, file);
  fclose(file);
  return text;
}

static int check(opm_cue_context* context, const char* path) {
  size_t length = 0;
  char* text = read_file(path, &length);
  if (text == NULL) return fprintf(stderr, "cannot read %s\n", path), 1;
  opm_cue_errors* errors = NULL;
  opm_cue_value data = opm_cue_parse(context, OPM_CUE_FORMAT_YAML, text, length, path, &errors);
  free(text);
  if (!opm_cue_is_valid(data)) return complain(errors);

  opm_cue_value schema = opm_cue_lookup(opm_cue_instance(context, 0), "#Servers");
  opm_cue_value servers = opm_cue_unify(schema, data);
  if (!opm_cue_validate(servers, true, &errors)) return complain(errors);

  opm_cue_fields* fields = opm_cue_list_fields(servers, OPM_CUE_REGULAR);
  for (size_t i = 0; i < opm_cue_fields_count(fields); ++i) {
    int64_t port = 0;
    opm_cue_get_int64(opm_cue_lookup(opm_cue_field_value(fields, i), "port"), &port);
    fprintf(stderr, "%s listens on %lld\n", opm_cue_field_name(fields, i), (long long)port);
  }
  opm_cue_fields_free(fields);

  opm_cue_text json = opm_cue_export(servers, OPM_CUE_FORMAT_JSON, &errors);
  if (json.data == NULL) return complain(errors);
  fputs(json.data, stdout);
  opm_cue_text_free(json);
  return 0;
}

int main(int count, char** words) {
  if (count != 3) return fprintf(stderr, "usage: check_servers FOLDER FILE\n"), 2;
  opm_cue_load_options options = {0};
  options.directory = words[1];
  opm_cue_errors* errors = NULL;
  opm_cue_context* context = opm_cue_load(&options, &errors);
  if (context == NULL) return complain(errors);
  int code = check(context, words[2]);
  opm_cue_free(context);
  return code;
}
