# What scripts/gpu-test and scripts/gpu-steps share: the tools they need, and steps that end in a table. Sourced from the root of
# the repository, behind a function `fail`, and `prebuilt` and `build_only`, which may be empty.
export PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
command -v nvcc >/dev/null || fail "no nvcc; install the CUDA Toolkit, or set CUDA_HOME"
if [[ -z $build_only ]]; then
  nvidia-smi -L || fail "no GPU here; --build-only does without"
fi

if [[ -n $prebuilt ]]; then
  for tool in "$prebuilt/stencilc-run-tests" "$prebuilt/tests/stencilc-run-tests"; do
    [[ ! -x $tool ]] || break
  done
  [[ -x $tool ]] || fail "no stencilc-run-tests in $prebuilt"
else
  scripts/bootstrap
  scripts/build stencilc-run-tests
  tool=${STENCILC_BUILD:-build}/tests/stencilc-run-tests
fi

# Who stops the script gets the table of what has been done.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
table=()
bad=0
child=
stopped=
trap 'stopped=yes; [[ -z $child ]] || kill "$child"' TERM INT

# step NAME SECONDS command...: runs it, at most so long. Its count goes into the table; where it fails, its output is shown.
# Where `must_say` is set, the output must hold that expression.
must_say=
step() {
  local name=$1 limit=$2 status=0 log=$scratch/log begin=$SECONDS
  shift 2
  [[ -z $stopped ]] || return 0
  echo "== $name"
  timeout --kill-after=10 "$limit" "$@" >"$log" 2>&1 &
  child=$!
  wait "$child" || status=$?
  child=
  if ((!status)) && [[ -n $must_say ]] && ! grep -qE "$must_say" "$log"; then
    status=1
    echo "the output does not say $must_say"
  fi
  local result=good
  if ((status)); then
    result="FAILED ($status)"
    ((status != 124)) || result="TIMED OUT"
    [[ -z $stopped ]] || result=STOPPED
    bad=1
    echo "$*"
    tail -n 100 "$log"
  fi
  local last
  last=$(grep -E '^[0-9]+ programs' "$log" | tail -n 1 || true)
  table+=("$(printf '%-28s %-12s %4d s  %s' "$name" "$result" "$((SECONDS - begin))" "${last:-$(tail -n 1 "$log")}")")
  return 0
}

has_sanitizer() {
  ! command -v compute-sanitizer >/dev/null || return 0
  bad=1
  table+=("compute-sanitizer            MISSING      it comes with the CUDA Toolkit")
  return 1
}

# Prints the table, and ends the script.
finish() {
  [[ -z $stopped ]] || bad=1
  echo
  printf '%s\n' ${table[@]+"${table[@]}"}
  echo "all of it: $SECONDS s, $( ((bad)) && echo "NOT GOOD" || echo good)"
  exit "$bad"
}
