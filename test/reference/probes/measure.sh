#!/bin/bash
# Builds (or takes built) measure and micro-extra, runs them on the GPU of this machine and collects times, counters and
# microbenchmarks under $1 (times.jsonl, micro.jsonl, ncu.csv). Clocks are left as they are.
out=${1:?output folder}; here=$(cd "$(dirname "$0")" && pwd); bin=${2:-/tmp/probes-bin}; mkdir -p $out $bin
arch=${ARCH:-sm_90}
for p in measure micro-extra; do
  [ -x $bin/${p%-extra} ] || nvcc -O3 -arch=$arch -std=c++17 -w -o $bin/${p%-extra} $here/$p.cu
done
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.max.sm --format=csv,noheader > $out/gpu.txt
t() { date +%s.%N; }
a=$(t); timeout 100 $bin/measure time > $out/times.jsonl 2> $out/times.err; b=$(t); echo "times $(echo "$b - $a" | bc 2>/dev/null) s, $(wc -l < $out/times.jsonl) rows"; cat $out/times.err
a=$(t); timeout 150 $bin/micro > $out/micro.jsonl 2> $out/micro.err; b=$(t); echo "micro $(echo "$b - $a" | bc 2>/dev/null) s, $(wc -l < $out/micro.jsonl) rows"; cat $out/micro.err
M=gpu__time_duration.sum,launch__registers_per_thread,launch__occupancy_limit_registers,launch__occupancy_limit_shared_mem,launch__occupancy_limit_warps,launch__occupancy_limit_blocks,launch__waves_per_multiprocessor,launch__shared_mem_per_block_allocated
for x in inst_executed thread_inst_executed thread_inst_executed_pred_on inst_executed_op_branch sass_branch_targets sass_branch_targets_threads_divergent sass_branch_targets_threads_uniform inst_executed_op_shared_ld inst_executed_op_shared_st inst_executed_op_shared_atom inst_executed_op_global_ld inst_executed_op_global_st inst_executed_op_global_red inst_executed_op_global_atom inst_executed_op_local_ld inst_executed_op_local_st inst_executed_pipe_alu inst_executed_pipe_fma inst_executed_pipe_fp16 inst_executed_pipe_fp64 inst_executed_pipe_lsu inst_executed_pipe_adu inst_executed_pipe_cbu inst_executed_pipe_uniform inst_executed_pipe_xu; do M=$M,smsp__$x.sum; done
for x in barrier dispatch_stall drain imc_miss lg_throttle long_scoreboard math_pipe_throttle membar mio_throttle no_instruction not_selected selected short_scoreboard wait branch_resolve sleeping; do M=$M,smsp__average_warps_issue_stalled_${x}_per_issue_active.ratio; done
for x in requests sectors; do for o in ld st red atom; do M=$M,l1tex__t_${x}_pipe_lsu_mem_global_op_$o.sum; done; done
for o in ld st atom; do M=$M,l1tex__data_pipe_lsu_wavefronts_mem_shared_op_$o.sum,l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_$o.sum; done
M=$M,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,l1tex__data_pipe_lsu_wavefronts.sum,l1tex__t_sector_hit_rate.pct,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum,lts__t_sectors_op_atom.sum,lts__t_sectors_op_red.sum,lts__t_sector_hit_rate.pct,dram__bytes_read.sum,dram__bytes_write.sum,sm__warps_active.avg.pct_of_peak_sustained_active,sm__cycles_active.avg,sm__cycles_elapsed.max,smsp__inst_executed.avg.per_cycle_active
ncu --query-metrics --chip gh100 2>/dev/null | awk '{print $1}' | sort -u > /tmp/known-metrics
K=$(echo $M | tr , '\n' | while read m; do b=${m%%.*}; if [[ $m == launch__* ]] || grep -qx "$b" /tmp/known-metrics; then echo $m; else echo "no metric $m" >&2; fi; done 2> $out/ncu-missing.txt | paste -sd,)
cat $out/ncu-missing.txt
[ $(wc -l < /tmp/known-metrics) -gt 100 ] || K=$M
a=$(t); timeout ${NCU_LIMIT:-270} ncu --clock-control none --csv --page raw --print-units base --metrics $K $bin/measure once > $out/ncu.csv 2> $out/ncu.err; b=$(t); echo "ncu $(echo "$b - $a" | bc 2>/dev/null) s, $(wc -l < $out/ncu.csv) rows"; tail -3 $out/ncu.err
