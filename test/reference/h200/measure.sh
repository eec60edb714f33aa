#!/bin/bash
# Measures launches on this machine's GPU: measure.sh KERNELS.cu LAUNCHES.inc FOLDER leaves times.jsonl, ncu.csv, metrics.txt and gpu.txt
# in FOLDER; collect.py makes a measured file of them. Clocks are left as they are. ALL=1 counts all that measured/probes.json has.
set -u
kernels=$(realpath "${1:?kernels}"); launches=$(realpath "${2:?launches}"); out=${3:?output folder}
here=$(cd "$(dirname "$0")" && pwd); mkdir -p "$out"
nvcc -O3 -arch="${ARCH:-sm_90}" -std=c++17 -w -DKERNELS="\"$kernels\"" -DLAUNCHES="\"$launches\"" -o "$out/measure" "$here/measure.cu" || exit 1
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader > "$out/gpu.txt"
timeout 150 "$out/measure" time > "$out/times.jsonl" 2> "$out/times.err"
echo "$SECONDS s, times: $(wc -l < "$out/times.jsonl") rows"; cat "$out/times.err"

metrics=(gpu__time_duration.sum launch__registers_per_thread smsp__inst_executed.sum sm__cycles_active.sum
  sm__warps_active.avg.pct_of_peak_sustained_active l1tex__t_sector_hit_rate.pct lts__t_sector_hit_rate.pct dram__bytes_read.sum
  dram__bytes_write.sum smsp__sass_branch_targets_threads_divergent.sum)
for reason in barrier dispatch_stall drain imc_miss lg_throttle long_scoreboard math_pipe_throttle membar mio_throttle no_instruction \
  not_selected selected short_scoreboard wait branch_resolving sleeping misc; do
  metrics+=("smsp__average_warps_issue_stalled_${reason}_per_issue_active.ratio")
done
for op in ld st; do
  metrics+=("l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum" "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$op.sum")
done
if [ "${ALL:-}" = 1 ]; then
  for limit in registers shared_mem warps blocks; do metrics+=("launch__occupancy_limit_$limit"); done
  metrics+=(launch__waves_per_multiprocessor launch__shared_mem_per_block_allocated sm__cycles_elapsed.max
    smsp__inst_executed.avg.per_cycle_active l1tex__data_pipe_lsu_wavefronts.sum l1tex__data_pipe_lsu_wavefronts_mem_shared.sum)
  for event in thread_inst_executed thread_inst_executed_pred_on inst_executed_op_branch sass_branch_targets sass_branch_targets_threads_uniform; do
    metrics+=("smsp__$event.sum")
  done
  for op in shared_ld shared_st shared_atom global_ld global_st global_red local_ld local_st; do
    metrics+=("smsp__inst_executed_op_$op.sum")
  done
  for pipe in alu fma fp64 lsu adu cbu uniform xu; do metrics+=("smsp__inst_executed_pipe_$pipe.sum"); done
  for op in ld st red atom; do
    metrics+=("l1tex__t_requests_pipe_lsu_mem_global_op_$op.sum" "l1tex__t_sectors_pipe_lsu_mem_global_op_$op.sum")
  done
  for op in ld st atom; do metrics+=("l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$op.sum"); done
  metrics+=(l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum)
  for op in read write atom red; do metrics+=("lts__t_sectors_op_$op.sum"); done
fi
printf '%s\n' "${metrics[@]}" | sort -u > "$out/metrics.txt"
# The first two kernels fill the arrays.
timeout "${NCU_LIMIT:-300}" ncu --clock-control none --csv --page raw --print-units base --metrics "$(paste -sd, "$out/metrics.txt")" \
  --launch-skip 2 "$out/measure" once > "$out/ncu.csv" 2> "$out/ncu.err"
echo "$SECONDS s, ncu: $(wc -l < "$out/ncu.csv") rows"; tail -3 "$out/ncu.err"
