#!/bin/bash
# Runs measure (built if need be) on the GPU of this machine and collects times and counters under $1 (times.jsonl,
# ncu.csv). Clocks are left as they are. FLAGS: -DKERNELS and -DLAUNCHES for another table than holdout.cu's.
out=${1:?output folder}; here=$(cd "$(dirname "$0")" && pwd); bin=${2:-/tmp/holdout-bin}; mkdir -p $out $bin
[ -x $bin/measure ] && $bin/measure once > /dev/null 2>&1 || nvcc -O3 -arch=${ARCH:-sm_90} -std=c++17 -w ${FLAGS:-} -o $bin/measure $here/measure.cu
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader > $out/gpu.txt
timeout 150 $bin/measure time > $out/times.jsonl 2> $out/times.err; echo "$SECONDS s, times: $(wc -l < $out/times.jsonl) rows"; cat $out/times.err
M=gpu__time_duration.sum,launch__registers_per_thread,smsp__inst_executed.sum,sm__cycles_active.sum,sm__warps_active.avg.pct_of_peak_sustained_active
for x in barrier dispatch_stall drain imc_miss lg_throttle long_scoreboard math_pipe_throttle membar mio_throttle no_instruction not_selected selected short_scoreboard wait branch_resolving sleeping misc; do M=$M,smsp__average_warps_issue_stalled_${x}_per_issue_active.ratio; done
for o in ld st; do M=$M,l1tex__t_sectors_pipe_lsu_mem_global_op_$o.sum,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$o.sum; done
M=$M,l1tex__t_sector_hit_rate.pct,lts__t_sector_hit_rate.pct,dram__bytes_read.sum,dram__bytes_write.sum,smsp__sass_branch_targets_threads_divergent.sum
# The first two kernels fill the arrays.
timeout ${NCU_LIMIT:-300} ncu --clock-control none --csv --page raw --print-units base --metrics $M --launch-skip 2 $bin/measure once > $out/ncu.csv 2> $out/ncu.err
echo "$SECONDS s, ncu: $(wc -l < $out/ncu.csv) rows"; tail -3 $out/ncu.err
