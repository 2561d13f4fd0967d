module opm/tests/tools/corpus

go 1.25.0

require cuelang.org/go v0.17.1
