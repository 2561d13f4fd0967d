#include "cli/cue_flags.h"

namespace opm::cli {

void declare_global_flags(const Command& command, CueFlags& flags) {
  command.flag("-s,--simplify", flags.simplify, "Simplify output")
      .flag("-i,--ignore", flags.ignore, "Proceed in the presence of errors")
      .flag("-v,--verbose", flags.verbose, "Print information about progress")
      .flag("-E,--all-errors", flags.all_errors, "Print all available errors")
      .flag("--trace", flags.trace, "Trace computation")
      .choice("--errors", flags.errors.form, {"text", "json", "annotations"}, "How errors are told")
      .choice("--color", flags.errors.color, {"auto", "always", "never"}, "Colour in what is told");
}

void declare_input_flags(const Command& command, CueFlags& flags) {
  command.option("-t,--inject", flags.tags, "TAG", "Set the value of a tagged field")
      .option("--registry", flags.registry, "REGISTRY", "Where modules come from that are not built in")
      .flag("--no-builtin", flags.no_builtin, "Do without the modules that are built into opm")
      .option("--max-steps", flags.max_steps, "NUMBER", "Steps that evaluation may take (100,000,000)")
      .flag("-T,--inject-vars", flags.inject_variables, "Inject system variables in tags")
      .option("-p,--package", flags.package, "NAME", "Package name for non-CUE files")
      .option("-d,--schema", flags.schema, "EXPRESSION", "Expression that data files have to match")
      .option("-l,--path", flags.path, "LABEL", "Where data files are put")
      .option("-I,--proto_path", flags.proto_path, "FOLDER", "Where imports of .proto files are looked for")
      .flag("--list", flags.list, "Put multiple objects into a list")
      .flag("--with-context", flags.with_context, "Put data files with contextual data")
      .flag("--merge", flags.merge, "Merge non-CUE files (--merge=false: one after the other)")
      .option("-n,--name", flags.name_filter, "REGEXP", "Filter for the names of data files in folders")
      .arguments("inputs", flags.arguments, "Packages, files, or - for standard input");
}

void declare_output_flags(const Command& command, CueFlags& flags, bool with_encoding) {
  if (with_encoding) command.option("--out", flags.out, "FORMAT", "Output format: cue, json, yaml, toml, text, binary, jsonschema, openapi");
  command.option("-o,--outfile", flags.out_file, "FILE", "File to write, or - for standard output")
      .flag("-f,--force", flags.force, "Overwrite existing files")
      .option("-e,--expression", flags.expressions, "EXPRESSION", "Only this expression");
}

}  // namespace opm::cli
