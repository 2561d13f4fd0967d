// The package path. The last argument of each function names the operating system.
#include "cue/std/bind.h"
#include "cue/std/file_path.h"
#include "cue/std/packages.h"

namespace opm::cue::standard {
namespace {

using Texts = const std::vector<std::string_view>&;

std::vector<std::string> split(std::string_view path, std::string_view system) { return PathRules::of(system).split(path); }
std::vector<std::string> split_list(std::string_view paths, std::string_view system) { return PathRules::of(system).split_list(paths); }
std::string join(Texts elements, std::string_view system) { return PathRules::of(system).join(elements); }
Result<bool> match(std::string_view pattern, std::string_view name, std::string_view system) {
  return PathRules::of(system).matches(pattern, name);
}
std::string clean(std::string_view path, std::string_view system) { return PathRules::of(system).clean(path); }
std::string to_slash(std::string_view path, std::string_view system) { return PathRules::of(system).to_slash(path); }
std::string from_slash(std::string_view path, std::string_view system) { return PathRules::of(system).from_slash(path); }
std::string extension(std::string_view path, std::string_view system) { return PathRules::of(system).extension(path); }
std::string resolve(std::string_view folder, std::string_view sub, std::string_view system) {
  return PathRules::of(system).resolve(folder, sub);
}
Result<std::string> relative(std::string_view base, std::string_view target, std::string_view system) {
  return PathRules::of(system).relative(base, target);
}
std::string base_name(std::string_view path, std::string_view system) { return PathRules::of(system).base_name(path); }
std::string folder(std::string_view path, std::string_view system) { return PathRules::of(system).folder(path); }
bool is_absolute(std::string_view path, std::string_view system) { return PathRules::of(system).is_absolute(path); }
std::string volume(std::string_view path, std::string_view system) { return PathRules::of(system).volume(path); }

constexpr std::string_view kSystems[] = {"unix",    "windows", "plan9", "aix",  "android", "darwin", "dragonfly", "freebsd", "hurd",
                                         "illumos", "ios",     "js",    "linux", "nacl",   "netbsd", "openbsd",   "solaris", "zos"};
constexpr std::string_view kUnix = kSystems[0];
constexpr std::string_view kWindows = kSystems[1];

#define OTHER_SYSTEMS                                                                                              \
  "\"plan9\" | \"aix\" | \"android\" | \"darwin\" | \"dragonfly\" | \"freebsd\" | \"hurd\" | \"illumos\" | \"ios\" | " \
  "\"js\" | \"linux\" | \"nacl\" | \"netbsd\" | \"openbsd\" | \"solaris\" | \"zos\""
constexpr std::string_view kAnySystem = "\"unix\" | \"windows\" | " OTHER_SYSTEMS;
constexpr std::string_view kUnixFirst = "*\"unix\" | \"windows\" | " OTHER_SYSTEMS;
constexpr std::string_view kWindowsFirst = "*\"windows\" | \"unix\" | " OTHER_SYSTEMS;
#undef OTHER_SYSTEMS

Builtin with_system(Builtin builtin, std::string_view constraint, const std::string_view* default_system) {
  Parameter& system = builtin.parameters.back();
  system.choices = kSystems;
  system.constraint = constraint;
  if (default_system != nullptr) {
    system.has_default = true;
    system.default_value = Value::of_string(default_system);
  }
  return builtin;
}
Builtin on_any(Builtin builtin) { return with_system(std::move(builtin), kAnySystem, nullptr); }
Builtin on_unix(Builtin builtin) { return with_system(std::move(builtin), kUnixFirst, &kUnix); }
Builtin on_windows(Builtin builtin) { return with_system(std::move(builtin), kWindowsFirst, &kWindows); }

}  // namespace

StandardPackage path_package() {
  return make_package("path", {
    on_unix(bind<split>("Split")),
    on_any(bind<split_list>("SplitList")),
    on_unix(bind<join>("Join")),
    on_unix(bind<match>("Match")),
    on_unix(bind<clean>("Clean")),
    on_any(bind<to_slash>("ToSlash")),
    on_any(bind<from_slash>("FromSlash")),
    on_unix(bind<extension>("Ext")),
    on_unix(bind<resolve>("Resolve")),
    on_unix(bind<relative>("Rel")),
    on_unix(bind<base_name>("Base")),
    on_unix(bind<folder>("Dir")),
    on_unix(bind<is_absolute>("IsAbs")),
    on_windows(bind<volume>("VolumeName")),
  }, "Unix: \"unix\"\nWindows: \"windows\"\nPlan9: \"plan9\"\n");
}

}  // namespace opm::cue::standard
