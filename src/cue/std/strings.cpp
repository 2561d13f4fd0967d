// The package strings.
#include "cue/std/bind.h"
#include "cue/std/packages.h"
#include "cue/std/text.h"

namespace opm::cue::standard {

StandardPackage strings_package() {
  return make_package("strings", {
    bind<text::byte_at>("ByteAt"),
    bind<text::byte_slice>("ByteSlice"),
    bind<text::code_points>("Runes"),
    bind<text::repeat>("Repeat"),
    bind<text::has_at_least>("MinRunes"),
    bind<text::has_at_most>("MaxRunes"),
    bind<text::to_title>("ToTitle"),
    bind<text::to_camel>("ToCamel"),
    bind<text::slice_characters>("SliceRunes"),
    bind<text::compare>("Compare"),
    bind<text::count>("Count"),
    bind<text::contains>("Contains"),
    bind<text::contains_any>("ContainsAny"),
    bind<text::last_index>("LastIndex"),
    bind<text::index_any>("IndexAny"),
    bind<text::last_index_any>("LastIndexAny"),
    bind<text::split_limited>("SplitN"),
    bind<text::split_after_limited>("SplitAfterN"),
    bind<text::split>("Split"),
    bind<text::split_after>("SplitAfter"),
    bind<text::fields>("Fields"),
    bind<text::join>("Join"),
    bind<text::has_prefix>("HasPrefix"),
    bind<text::has_suffix>("HasSuffix"),
    bind<text::to_upper>("ToUpper"),
    bind<text::to_lower>("ToLower"),
    bind<text::trim>("Trim"),
    bind<text::trim_left>("TrimLeft"),
    bind<text::trim_right>("TrimRight"),
    bind<text::trim_space>("TrimSpace"),
    bind<text::trim_prefix>("TrimPrefix"),
    bind<text::trim_suffix>("TrimSuffix"),
    bind<text::replace>("Replace"),
    bind<text::index>("Index"),
  });
}

}  // namespace opm::cue::standard
