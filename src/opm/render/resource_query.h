// Which resource, and which part of it, somebody means who writes "deploy/web spec.template.spec.containers[web].image".
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "opm/render/result.h"

namespace opm::render {

// "deployment/web": the kind in lower case.
std::string resource_text(const Resource& resource);

// KIND/NAME or NAME, where the kind may be in any case, in the plural, as kubectl abbreviates it, or with a group
// ("deployment.apps"). What is wrong names what there is.
std::expected<std::size_t, Problem> find_resource(std::span<const Resource> resources, std::string_view query);

// Whether such a query names that kind; one without a kind does not.
bool asks_for_kind(std::string_view query, std::string_view kind);

// Keys and indices of a path in an object: a.b[0], a.b[name], a."b.c", and also a.b.c for the key "b.c".
std::expected<std::vector<std::string>, Problem> find_part(const Resource& resource, std::string_view path);

// As people write it: spec.containers[0].image
std::string part_text(std::span<const std::string> path, const data::Value& object);

}  // namespace opm::render
