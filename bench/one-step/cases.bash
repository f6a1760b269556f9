# For scripts/gpu-bench and scripts/gpu-tune, which read it: the stencils of the benchmark set, and what runs them; of
# scripts/gpu-seeds the latter alone. They set `sizes` (extents, for each rank), `work` (a folder), `target`, `prebuilt` and
# `build_only` before.

# size RANK odd|even
size() {
  local given crosses
  for given in ${sizes[@]+"${sizes[@]}"}; do
    crosses=${given//[^x]/}
    if ((${#crosses} + 1 == $1)); then
      echo "$given"
      return
    fi
  done
  case $1$2 in
    1even) echo 268435456 ;;
    1odd) echo 268435455 ;;
    2even) echo 16384x16384 ;;
    2odd) echo 16383x16385 ;;
    3even) echo 768x768x768 ;;
    3odd) echo 767x769x771 ;;
  esac
}

# Lines of "file stencil type boundary size". A boundary `-` is the one that stands in the file.
every_stencil() {
  local name type plane volume
  plane=$(size 2 "$1") volume=$(size 3 "$1")
  for name in star2d1 star2d2 star2d4 box2d1 box2d2; do
    for type in f32 f64; do echo "bench/one-step/$name.stn $name $type clamp $plane"; done
  done
  echo "bench/one-step/box2d1.stn box2d1 f16 clamp $plane"
  echo "bench/one-step/box2d1_u8.stn box2d1_u8 u8 clamp $plane"
  for name in conv7 conv15 conv31; do echo "bench/one-step/$name.stn $name f32 clamp $plane"; done
  for name in star3d1 star3d2 star3d4 box3d1; do
    for type in f32 f64; do echo "bench/one-step/$name.stn $name $type clamp $volume"; done
  done
  echo "examples/wave3d.stn wave3d f32 - $volume"
  echo "examples/himeno.stn himeno f32 - $volume"
}
every_boundary() {
  local rank parity type boundary
  for rank in 2 3; do
    for type in f32 f64; do
      for parity in even odd; do
        for boundary in clamp fixed periodic zero; do
          echo "bench/one-step/star${rank}d1.stn star${rank}d1 $type $boundary $(size "$rank" "$parity")"
        done
      done
    done
  done
}
# Stencils of which launches take several steps, and some of the examples.
every_temporal() {
  local name type parity boundary folder rank
  for parity in even odd; do
    for name in line1 line2 star2d1 star2d2 star2d3 star2d4 box2d1 gradient2d star3d1 star3d2 star3d4 box3d1; do
      folder=one-step rank=2
      [[ $name != line? ]] || rank=1
      [[ $name != *3d? ]] || rank=3
      [[ ! -e bench/temporal/$name.stn ]] || folder=temporal
      for type in f32 f64; do
        for boundary in clamp fixed periodic zero; do
          echo "bench/$folder/$name.stn $name $type $boundary $(size "$rank" "$parity")"
        done
      done
    done
  done
  for name in wave2d gray_scott fdtd2d; do echo "examples/$name.stn $name f32 - $(size 2 even)"; done
  echo "examples/life.stn life u8 - $(size 2 even)"
}

# every_small: the same for grids that leave much of a card idle; none where sizes are given.
every_small() {
  local n boundary
  ((${#sizes[@]} == 0)) || return 0
  for n in 256 512 1024 2048; do
    for boundary in clamp fixed; do echo "bench/one-step/star2d1.stn star2d1 f32 $boundary ${n}x$n"; done
  done
  for n in 64 128 160; do echo "bench/one-step/star3d1.stn star3d1 f32 clamp ${n}x${n}x$n"; done
}
# Those are compiled for their size, and take many steps a run.
is_small() { [[ $suite == temporal && ${#sizes[@]} == 0 && ! $1 =~ ^(1638[34]x|76[78]x|26843545) ]]; }

# options_of STENCIL: for `stencilc bench`. The residual of himeno is asked for once a run, as by a solver that looks at it
# every 64 steps.
options_of() { [[ $1 != himeno ]] || echo --steps 64; }

# kernel_name STENCIL TYPE BOUNDARY [EXTENTS]
kernel_name() {
  local name=$1-$2
  [[ $3 == - ]] || name+=-$3
  [[ -z ${4-} ]] || ! is_small "$4" || name+=-$4
  echo "$name"
}

# write_stencil NAME FILE TYPE BOUNDARY: the file as NAME.stn in $work, with another type and boundary.
write_stencil() {
  local stn=$work/$1.stn
  sed "s/boundary clamp/boundary ${4/-/clamp}/" "$2" >"$stn"
  case $3 in
    f64) sed -i 's/\bf32\b/f64/g' "$stn" ;;
    f16) sed -i 's/field f32/field f16/' "$stn" ;;
  esac
}

# find_tools: nvcc and a GPU, or the end; and stencilc, as `stencilc`.
find_tools() {
  if [[ $target == cuda ]]; then
    export PATH=$PATH:${CUDA_HOME:-/usr/local/cuda}/bin
    command -v nvcc >/dev/null || fail "no nvcc; install the CUDA Toolkit, or set CUDA_HOME"
    if [[ -z $build_only ]]; then nvidia-smi -L || fail "no GPU here"; fi
  fi
  if [[ -n $prebuilt ]]; then
    for stencilc in "$prebuilt/stencilc" "$prebuilt/bin/stencilc"; do
      [[ ! -x $stencilc ]] || break
    done
    [[ -x $stencilc ]] || fail "no stencilc in $prebuilt"
  else
    scripts/bootstrap --compiler-only
    scripts/build stencilc
    stencilc=$(realpath "${STENCILC_BUILD:-build}/bin/stencilc")
  fi
}
