// The whole render: six phases, one after the other. Errors are collected and told at the end, all of them.
#pragma once

#include "opm/render/options.h"
#include "opm/render/result.h"

namespace opm::render {

RenderResult render(const RenderOptions& options);

}  // namespace opm::render
