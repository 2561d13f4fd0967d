// The standard packages, a function each that makes the package's table.
#pragma once

#include "cue/eval/builtin.h"

namespace opm::cue::standard {

eval::StandardPackage strings_package();
eval::StandardPackage list_package();
eval::StandardPackage struct_package();
eval::StandardPackage math_package();
eval::StandardPackage math_bits_package();
eval::StandardPackage strconv_package();
eval::StandardPackage regexp_package();
eval::StandardPackage json_package();
eval::StandardPackage yaml_package();
eval::StandardPackage base64_package();
eval::StandardPackage hex_package();
eval::StandardPackage md5_package();
eval::StandardPackage sha1_package();
eval::StandardPackage sha256_package();
eval::StandardPackage sha512_package();
eval::StandardPackage hmac_package();
eval::StandardPackage ed25519_package();
eval::StandardPackage csv_package();
eval::StandardPackage toml_package();
eval::StandardPackage html_package();
eval::StandardPackage tabwriter_package();
eval::StandardPackage template_package();
eval::StandardPackage uuid_package();
eval::StandardPackage net_package();
eval::StandardPackage time_package();
eval::StandardPackage path_package();

}  // namespace opm::cue::standard
