# What the scripts share; sourced, never run.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# Everything the scripts say goes to standard error: standard output belongs to opm.
say() { printf '%s\n' "$*" >&2; }
fail() {
  say "$*"
  exit 1
}

# The exit code of a suite or tool that could not run here, which is not the same as failing.
not_run=77

jobs=${OPM_JOBS:-$(nproc)}

# build PRESET [TARGET...]: configures when needed and builds, quietly unless something goes wrong.
# One build of a preset at a time: scripts may be called side by side.
build() {
  local preset=$1 folder=$root/build/$1 log
  shift
  mkdir -p "$folder"
  (
    flock 9
    log=$folder/build.log
    if [ ! -f "$folder/build.ninja" ]; then
      (cd "$root" && cmake --preset "$preset") >"$log" 2>&1 || {
        cat "$log" >&2
        fail "cannot configure $preset"
      }
    fi
    local targets=()
    [ $# -eq 0 ] || targets=(--target "$@")
    (cd "$root" && cmake --build "$folder" -j "$jobs" "${targets[@]}") >"$log" 2>&1 || {
      grep -v -e '^\[[0-9]*/[0-9]*\] \(Building\|Linking\)' "$log" >&2
      fail "cannot build $preset"
    }
  ) 9>"$folder/.lock"
}

# For suites: adds to the number of tests that passed, failed and were skipped.
tally() { printf '%d %d %d\n' "$1" "$2" "${3:-0}" >>"${OPM_TALLY:-/dev/null}"; }

# run_ctest PRESET LABEL: runs the test programs with that label and counts their tests.
run_ctest() {
  local folder=$root/build/$1 label=$2 results code=0 p f s
  results=$folder/test-results/$label
  rm -rf "$results"
  mkdir -p "$results"
  (cd "$root" && GTEST_OUTPUT="xml:$results/" ctest --test-dir "$folder" -L "$label" -j "$jobs" \
    --output-on-failure --no-tests=error) || code=$?
  # Each program left a file whose first element counts its tests.
  read -r p f s < <(cat /dev/null "$results"/*.xml 2>/dev/null |
    sed -n 's/.*<testsuites tests="\([0-9]*\)" failures="\([0-9]*\)" disabled="\([0-9]*\)" errors="\([0-9]*\)".*/\1 \2 \3 \4/p' |
    awk '{t += $1; f += $2 + $4; d += $3} END {print t - f - d, f + 0, d + 0}')
  if [ $code -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi # a program that crashed leaves no file
  tally "$p" "$f" "$s"
  return $code
}

# run_counted COMMAND...: for programs that end by printing `N passed, N failed` or, as Python's
# unittest does, `Ran N tests`.
run_counted() {
  local log code=0 ran
  log=$(mktemp)
  "$@" >"$log" 2>&1 || code=$?
  cat "$log"
  if ran=$(grep -oE '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?' "$log" | tail -n 1) && [ -n "$ran" ]; then
    # shellcheck disable=SC2046  # the numbers are the arguments
    tally $(tr -dc '0-9 ' <<<"$ran")
  elif ran=$(grep -oE '^Ran [0-9]+ test' "$log" | tail -n 1) && [ -n "$ran" ]; then
    ran=$(tr -dc '0-9' <<<"$ran")
    if [ $code -eq 0 ]; then tally "$ran" 0; else tally $((ran - 1)) 1; fi
  elif [ $code -ne 0 ] && [ $code -ne $not_run ]; then
    tally 0 1
  fi
  rm -f "$log"
  return $code
}

# Debian's own Python, whatever else is first on PATH.
python=/usr/bin/python3
[ -x "$python" ] || python=python3

# Sanitizers make stack frames several times larger; depth limits are set for those of a release.
allow_deep_stacks() { ulimit -s 131072 2>/dev/null || say "cannot raise the limit of the stack; deep inputs may fail"; }
