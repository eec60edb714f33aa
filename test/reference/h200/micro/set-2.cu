// Microbenchmarks of one GPU that fill the gaps of h200/micro/set-1.json: pipes, shared wavefronts, block turnaround, atomics, L2.
// nvcc -O3 -std=c++17 -arch=sm_90 h200/micro/set-2.cu -o micro && ./micro
#include <cstdio>
#include <cstdint>
#include <algorithm>
#include <vector>
#include <cuda_runtime.h>
#define CK(x) do{cudaError_t e=(x); if(e!=cudaSuccess){printf("{\"error\":\"%s\",\"line\":%d}\n",cudaGetErrorString(e),__LINE__);}}while(0)
typedef long long ll;
__device__ int g_sink;
// --- chains: `reps` x 64 asm statements, dependent (ILP 1) or 4 chains
#define CHAIN(NAME, T, INIT, CONSTRAINT, OPS, ASM) \
__global__ void lat_##NAME(ll* out, int a, int b){ T x=INIT(threadIdx.x+a); T y=INIT(b); T z=INIT(a+3); ll best=1LL<<60; \
 for(int r=0;r<6;r++){ __syncthreads(); ll t0=clock64(); _Pragma("unroll") for(int i=0;i<64;i++){ asm volatile(ASM: "+" CONSTRAINT(x): CONSTRAINT(y), CONSTRAINT(z)); } ll t1=clock64(); if(t1-t0<best) best=t1-t0; } \
 if(x==(T)123456789) g_sink=1; if(threadIdx.x==0) *out=best; } \
__global__ void thr_##NAME(ll* out, int a, int b){ T x0=INIT(threadIdx.x+a),x1=INIT(threadIdx.x+b),x2=INIT(threadIdx.x+a+b),x3=INIT(a*b); T y=INIT(b); T z=INIT(a+3); __shared__ ll s0,s1; if(threadIdx.x==0){s0=1LL<<62;s1=0;} __syncthreads(); ll t0=clock64(); \
 for(int r=0;r<8;r++){ _Pragma("unroll") for(int i=0;i<16;i++){ asm volatile(ASM: "+" CONSTRAINT(x0): CONSTRAINT(y), CONSTRAINT(z)); asm volatile(ASM: "+" CONSTRAINT(x1): CONSTRAINT(y), CONSTRAINT(z)); asm volatile(ASM: "+" CONSTRAINT(x2): CONSTRAINT(y), CONSTRAINT(z)); asm volatile(ASM: "+" CONSTRAINT(x3): CONSTRAINT(y), CONSTRAINT(z)); } } \
 ll t1=clock64(); atomicMin((unsigned long long*)&s0,(unsigned long long)t0); atomicMax((unsigned long long*)&s1,(unsigned long long)t1); __syncthreads(); if(x0+x1+x2+x3==(T)123456789) g_sink=1; if(threadIdx.x==0) *out=s1-s0; } \
static void run_##NAME(ll* d){ ll h; lat_##NAME<<<1,32>>>(d,1,5); lat_##NAME<<<1,32>>>(d,1,5); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"micro\":\"%s\",\"ops\":%d,\"cycles_per_statement\":%.3f}\n",#NAME,OPS,h/64.0); \
 int ts[4]={32,128,512,1024}; for(int t:ts){ thr_##NAME<<<1,t>>>(d,1,5); thr_##NAME<<<1,t>>>(d,1,5); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"throughput\":\"%s\",\"threads\":%d,\"warp_statements_per_cycle_sm\":%.4f}\n",#NAME,t,512.0*(t/32)/h);} CK(cudaGetLastError()); }
#define I(v) ((int)(v))
#define F(v) ((float)(v)*1.0001f)
#define D(v) ((double)(v)*1.0001)
CHAIN(add_xor,int,I,"r",2,"{add.s32 %0,%0,%1; xor.b32 %0,%0,%2;}")
CHAIN(lop3_only,int,I,"r",1,"{lop3.b32 %0,%0,%1,%2,0x6a;}")
CHAIN(shf_add,int,I,"r",2,"{shf.l.wrap.b32 %0,%0,%1,7; add.s32 %0,%0,%2;}")
CHAIN(min_xor,int,I,"r",2,"{min.s32 %0,%0,%1; xor.b32 %0,%0,%2;}")
CHAIN(imad,int,I,"r",1,"{mad.lo.s32 %0,%0,%1,%2;}")
CHAIN(imad_hi,int,I,"r",1,"{mad.hi.s32 %0,%0,%1,%2;}")
CHAIN(ffma,float,F,"f",1,"{fma.rn.f32 %0,%0,%1,%2;}")
CHAIN(fadd_fmul,float,F,"f",2,"{add.rn.f32 %0,%0,%1; mul.rn.f32 %0,%0,%2;}")
CHAIN(dfma,double,D,"d",1,"{fma.rn.f64 %0,%0,%1,%2;}")
CHAIN(dadd,double,D,"d",1,"{add.rn.f64 %0,%0,%1;}")
CHAIN(mufu_ex2,float,F,"f",1,"{ex2.approx.ftz.f32 %0,%0;}")
CHAIN(mufu_rcp,float,F,"f",1,"{rcp.approx.ftz.f32 %0,%0;}")
CHAIN(popc,int,I,"r",1,"{popc.b32 %0,%0;}")
CHAIN(i2f_f2i,int,I,"r",2,"{.reg .f32 t; cvt.rn.f32.s32 t,%0; cvt.rzi.s32.f32 %0,t;}")
CHAIN(setp_selp,int,I,"r",2,"{.reg .pred p; setp.lt.s32 p,%0,%1; selp.b32 %0,%2,%1,p;}")
CHAIN(setp_ballot,int,I,"r",2,"{.reg .pred p; setp.lt.s32 p,%0,%1; vote.sync.ballot.b32 %0,p,0xffffffff;}")
CHAIN(setp_any_selp,int,I,"r",3,"{.reg .pred p,q; setp.lt.s32 p,%0,%1; vote.sync.any.pred q,p,0xffffffff; selp.b32 %0,%1,%2,q;}")
CHAIN(shfl_bfly,int,I,"r",1,"{shfl.sync.bfly.b32 %0,%0,1,0x1f,0xffffffff;}")
CHAIN(shfl_add,int,I,"r",2,"{.reg .b32 t; shfl.sync.down.b32 t,%0,1,0x1f,0xffffffff; add.s32 %0,%0,t;}")
CHAIN(redux_add,int,I,"r",1,"{redux.sync.add.s32 %0,%0,0xffffffff;}")
CHAIN(match_any,int,I,"r",1,"{match.any.sync.b32 %0,%0,0xffffffff;}")
CHAIN(match_all,int,I,"r",1,"{match.all.sync.b32 %0,%0,0xffffffff;}")
CHAIN(bar_warp,int,I,"r",1,"{bar.warp.sync 0xffffffff;}")
CHAIN(activemask,int,I,"r",1,"{.reg .b32 t; activemask.b32 t; xor.b32 %0,%0,t;}")
CHAIN(s2r_laneid_like,int,I,"r",2,"{.reg .b32 t; mov.u32 t,%%lanemask_lt; xor.b32 %0,%0,t;}")
CHAIN(clock_lo,int,I,"r",2,"{.reg .b32 t; mov.u32 t,%%clock; xor.b32 %0,%0,t;}")
CHAIN(div_u32,unsigned,I,"r",1,"{div.u32 %0,%0,%1;}")
// --- branches: a taken branch on a uniform predicate per statement
__global__ void lat_branch(ll* out,int a,int mode){ int x=threadIdx.x+a; ll t0=clock64(); for(int i=0;i<256;i++){ if(mode==0) asm volatile("{.reg .pred p; setp.ge.s32 p,%0,0; @p bra L1; xor.b32 %0,%0,1; xor.b32 %0,%0,3; xor.b32 %0,%0,7; xor.b32 %0,%0,11; xor.b32 %0,%0,1; xor.b32 %0,%0,3; xor.b32 %0,%0,7; xor.b32 %0,%0,11; bar.warp.sync 0xffffffff; L1:}":"+r"(x)); } ll t1=clock64(); if(x==-5) g_sink=x; if(threadIdx.x==0) *out=t1-t0; }
__global__ void lat_loop(ll* out,int a,int n){ int x=threadIdx.x+a; ll t0=clock64();
#pragma unroll 1
 for(int i=0;i<n;i++){ asm volatile("xor.b32 %0,%0,%1;":"+r"(x):"r"(a)); } ll t1=clock64(); if(x==-5) g_sink=x; if(threadIdx.x==0) *out=t1-t0; }
// --- shared memory: latency by stride (dependent chain of addresses), throughput by stride
__global__ void lds_chain(ll* out,int stride){ extern __shared__ int s[]; unsigned base=(unsigned)__cvta_generic_to_shared(s); for(int i=threadIdx.x;i<2048;i+=blockDim.x) s[i]=base+((i*1)%1056)*4; __syncthreads(); for(int i=threadIdx.x;i<1057;i+=blockDim.x) s[i]=base+i*4; __syncthreads();
 unsigned p=base+threadIdx.x*stride*4; ll best=1LL<<60; for(int r=0;r<5;r++){ ll t0=clock64();
#pragma unroll
 for(int i=0;i<64;i++) asm volatile("ld.shared.u32 %0,[%0];":"+r"(p)); ll t1=clock64(); best=min(best,t1-t0);} if(p==7) g_sink=p; if(threadIdx.x==0) *out=best; }
template<int V> __global__ void lds_thr(ll* out,int stride,int write){ extern __shared__ int s[]; unsigned base=(unsigned)__cvta_generic_to_shared(s); __shared__ unsigned long long s0,s1; if(threadIdx.x==0){s0=~0ull;s1=0;} for(int i=threadIdx.x;i<4096;i+=blockDim.x) s[i]=i; __syncthreads();
 unsigned p=base+(threadIdx.x%32)*stride*4; int acc=0; ll t0=clock64(); for(int r=0;r<16;r++){
#pragma unroll
 for(int i=0;i<16;i++){ int a,b,c,d; if(write){ if(V==1) asm volatile("st.shared.u32 [%0],%1;"::"r"(p),"r"(acc)); else asm volatile("st.shared.v4.u32 [%0],{%1,%1,%1,%1};"::"r"(p),"r"(acc)); } else if(V==1){ asm volatile("ld.shared.u32 %0,[%1];":"=r"(a):"r"(p)); acc^=a; } else if(V==2){ asm volatile("ld.shared.v2.u32 {%0,%1},[%2];":"=r"(a),"=r"(b):"r"(p)); acc^=a^b; } else { asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3},[%4];":"=r"(a),"=r"(b),"=r"(c),"=r"(d):"r"(p)); acc^=a^b^c^d; } } }
 ll t1=clock64(); atomicMin(&s0,(unsigned long long)t0); atomicMax(&s1,(unsigned long long)t1); __syncthreads(); if(acc==12345) g_sink=acc; if(threadIdx.x==0) *out=s1-s0; }
// --- L1 hits: throughput of LDG
template<int V> __global__ void ldg_thr(ll* out,const int* p0,int stride){ __shared__ unsigned long long s0,s1; if(threadIdx.x==0){s0=~0ull;s1=0;} __syncthreads(); const int* p=p0+(threadIdx.x%32)*stride; int acc=0; for(int k=0;k<2;k++){ if(k==1){s0=~0ull;s1=0; __syncthreads();} ll t0=clock64(); for(int r=0;r<16;r++){
#pragma unroll
 for(int i=0;i<16;i++){ int a,b,c,d; if(V==1){ asm volatile("ld.global.ca.u32 %0,[%1];":"=r"(a):"l"(p)); acc^=a; } else { asm volatile("ld.global.ca.v4.u32 {%0,%1,%2,%3},[%4];":"=r"(a),"=r"(b),"=r"(c),"=r"(d):"l"(p)); acc^=a^b^c^d; } } } ll t1=clock64(); __syncthreads(); atomicMin(&s0,(unsigned long long)t0); atomicMax(&s1,(unsigned long long)t1); __syncthreads(); }
 if(acc==12345) g_sink=acc; if(threadIdx.x==0) *out=s1-s0; }
__global__ void ptr_init(void** p,size_t n,size_t step){ for(size_t i=threadIdx.x;i<n;i+=blockDim.x) p[i*step]=(void*)(p+((i+1)%n)*step); }
__global__ void ptr_chase(ll* out,void** p,int n,int cg){ void** q=p; for(int k=0;k<2;k++){ ll t0=clock64(); for(int i=0;i<n;i++){ if(cg) asm volatile("ld.global.cg.u64 %0,[%0];":"+l"(q)); else asm volatile("ld.global.ca.u64 %0,[%0];":"+l"(q)); } ll t1=clock64(); *out=t1-t0; } if(q==0) g_sink=1; }
// --- barriers with several blocks an SM
__global__ void bar_many(ll* out,int n){ extern __shared__ int s[]; ll t0=clock64(); for(int i=0;i<n;i++) __syncthreads(); ll t1=clock64(); if(threadIdx.x==0&&blockIdx.x==0) *out=t1-t0; }
// --- empty blocks at a limited residency
__global__ void empty_dyn(int* p){ if(p) p[0]=1; }
// --- L2 and DRAM streams
__global__ void read_cg(const int4* p,size_t n,int reps){ int acc=0; size_t st=(size_t)gridDim.x*blockDim.x; for(int r=0;r<reps;r++) for(size_t i=(size_t)blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=st*4){ int4 v[4];
#pragma unroll
 for(int k=0;k<4;k++) if(i+k*st<n) v[k]=__ldcg(p+i+k*st); else v[k]=make_int4(0,0,0,0);
#pragma unroll
 for(int k=0;k<4;k++) acc^=v[k].x^v[k].y^v[k].z^v[k].w; } if(acc==123456) g_sink=acc; }
__global__ void write4(int4* p,size_t n){ size_t st=(size_t)gridDim.x*blockDim.x; for(size_t i=(size_t)blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=st) p[i]=make_int4(1,2,3,4); }
__global__ void copy4(int4* q,const int4* p,size_t n){ size_t st=(size_t)gridDim.x*blockDim.x; for(size_t i=(size_t)blockIdx.x*blockDim.x+threadIdx.x;i<n;i+=st) q[i]=p[i]; }
__global__ void strided_read(const int* p,size_t n,int stride){ size_t i=(size_t)blockIdx.x*blockDim.x+threadIdx.x; int acc=0;
#pragma unroll
 for(int k=0;k<8;k++) acc^=p[((i+(size_t)k*gridDim.x*blockDim.x)*stride)%n]; if(acc==123456) g_sink=acc; }
// --- atomics
template<int MODE> __global__ void reds(int* p,int n){ int lane=threadIdx.x&31; int w=(blockIdx.x*blockDim.x+threadIdx.x)>>5; int* q=p; if(MODE==1) q=p+lane; if(MODE==2) q=p+(w*32+lane)%(1<<20); if(MODE==3) q=p+w*8%(1<<20); if(MODE==4) q=p+lane*32; for(int i=0;i<n;i++){ if(MODE==5){ if(lane==0) asm volatile("red.global.add.s32 [%0],%1;"::"l"(q),"r"(i):"memory"); } else asm volatile("red.global.add.s32 [%0],%1;"::"l"(q),"r"(i):"memory"); } }
__global__ void atom_chain(ll* out,int* p,int n){ int x=0; ll t0=clock64(); for(int i=0;i<n;i++) asm volatile("atom.global.add.s32 %0,[%1],%0;":"+r"(x):"l"(p):"memory"); ll t1=clock64(); if(x==7) g_sink=x; if(threadIdx.x==0) *out=t1-t0; }
__global__ void satom(ll* out,int degree,int ret){ __shared__ int s[1024]; __shared__ unsigned long long s0,s1; if(threadIdx.x==0){s0=~0ull;s1=0;} s[threadIdx.x]=0; __syncthreads(); int lane=threadIdx.x&31; unsigned p=(unsigned)__cvta_generic_to_shared(s+lane/degree); int x=threadIdx.x; ll t0=clock64(); if(ret){
#pragma unroll 16
 for(int i=0;i<64;i++) asm volatile("atom.shared.add.s32 %0,[%1],%0;":"+r"(x):"r"(p):"memory"); } else {
#pragma unroll 16
 for(int i=0;i<64;i++) asm volatile("red.shared.add.s32 [%1],%0;"::"r"(x),"r"(p):"memory"); } ll t1=clock64(); atomicMin(&s0,(unsigned long long)t0); atomicMax(&s1,(unsigned long long)t1); __syncthreads(); if(x==1234567) g_sink=x; if(threadIdx.x==0) *out=s1-s0; }
template<class K> static float timed(K k,int reps=7){ cudaEvent_t a,b; cudaEventCreate(&a); cudaEventCreate(&b); k(); cudaDeviceSynchronize(); std::vector<float> v; for(int i=0;i<reps;i++){ cudaEventRecord(a); k(); cudaEventRecord(b); cudaEventSynchronize(b); float ms; cudaEventElapsedTime(&ms,a,b); v.push_back(ms);} std::sort(v.begin(),v.end()); return v[v.size()/2]; }
int main(){ ll* d; CK(cudaMalloc(&d,64)); ll h; int dev=0; cudaDeviceProp P; cudaGetDeviceProperties(&P,dev); int v;
 printf("{\"props\":\"%s\",\"totalGlobalMem\":%zu,\"sharedPerBlock\":%zu,\"sharedOptin\":%zu,\"sharedPerSm\":%zu,\"reserved\":%zu,\"regsPerBlock\":%d,\"regsPerSm\":%d,\"maxGrid\":[%d,%d,%d],\"maxBlock\":[%d,%d,%d],\"maxThreadsPerSm\":%d,\"maxBlocksPerSm\":%d,\"l2\":%d,\"bus\":%d}\n",P.name,P.totalGlobalMem,P.sharedMemPerBlock,P.sharedMemPerBlockOptin,P.sharedMemPerMultiprocessor,P.reservedSharedMemPerBlock,P.regsPerBlock,P.regsPerMultiprocessor,P.maxGridSize[0],P.maxGridSize[1],P.maxGridSize[2],P.maxThreadsDim[0],P.maxThreadsDim[1],P.maxThreadsDim[2],P.maxThreadsPerMultiProcessor,P.maxBlocksPerMultiProcessor,P.l2CacheSize,P.memoryBusWidth);
 // clock up
 timed([&]{bar_many<<<132*8,256>>>(d,20000);},5);
 run_add_xor(d);run_lop3_only(d);run_shf_add(d);run_min_xor(d);run_imad(d);run_imad_hi(d);run_ffma(d);run_fadd_fmul(d);run_dfma(d);run_dadd(d);run_mufu_ex2(d);run_mufu_rcp(d);run_popc(d);run_i2f_f2i(d);run_setp_selp(d);run_setp_ballot(d);run_setp_any_selp(d);run_shfl_bfly(d);run_shfl_add(d);run_redux_add(d);run_match_any(d);run_match_all(d);run_bar_warp(d);run_activemask(d);run_s2r_laneid_like(d);run_clock_lo(d);run_div_u32(d);
 for(int t: {32,128,1024}){ lat_branch<<<1,t>>>(d,1,0); lat_branch<<<1,t>>>(d,1,0); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"micro\":\"taken_branch_in_loop\",\"threads\":%d,\"cycles_per_iteration\":%.3f}\n",t,h/256.0); lat_loop<<<1,t>>>(d,1,1024); lat_loop<<<1,t>>>(d,1,1024); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"micro\":\"loop_of_one_xor\",\"threads\":%d,\"cycles_per_iteration\":%.3f}\n",t,h/1024.0); }
 for(int s: {0,1,2,3,4,8,16,32}){ lds_chain<<<1,32,8448>>>(d,s); lds_chain<<<1,32,8448>>>(d,s); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"micro\":\"shared_load_chain\",\"stride_words\":%d,\"cycles_per_op\":%.3f}\n",s,h/64.0);
  for(int t: {32,128,1024}){ lds_thr<1><<<1,t,16640>>>(d,s,0); lds_thr<1><<<1,t,16640>>>(d,s,0); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"throughput\":\"shared_load\",\"stride_words\":%d,\"threads\":%d,\"cycles_per_warp_op\":%.3f}\n",s,t,(double)h/(256.0*(t/32)));
   lds_thr<1><<<1,t,16640>>>(d,s,1); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"throughput\":\"shared_store\",\"stride_words\":%d,\"threads\":%d,\"cycles_per_warp_op\":%.3f}\n",s,t,(double)h/(256.0*(t/32))); } }
 lds_thr<2><<<1,1024,16640>>>(d,2,0); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"throughput\":\"shared_load_64bit\",\"threads\":1024,\"cycles_per_warp_op\":%.3f}\n",(double)h/(256.0*32));
 lds_thr<4><<<1,1024,16640>>>(d,4,0); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"throughput\":\"shared_load_128bit\",\"threads\":1024,\"cycles_per_warp_op\":%.3f}\n",(double)h/(256.0*32));
 int* big; size_t BIG=4ull<<30; CK(cudaMalloc(&big,BIG)); CK(cudaMemset(big,0,BIG));
 for(int s: {0,1,2,4,8,16,32}){ ldg_thr<1><<<1,1024>>>(d,big,s); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"throughput\":\"global_load_L1_hit\",\"stride_words\":%d,\"cycles_per_warp_op\":%.3f}\n",s,(double)h/(256.0*32)); }
 ldg_thr<4><<<1,1024>>>(d,big,4); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"throughput\":\"global_load_L1_hit_128bit\",\"cycles_per_warp_op\":%.3f}\n",(double)h/(256.0*32));
 for(size_t kb: {4,16,64,128,192}){ size_t n=kb*1024/32; ptr_init<<<1,256>>>((void**)big,n,4); ptr_chase<<<1,1>>>(d,(void**)big,(int)n,0); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"micro\":\"pointer_chase_ca_32B\",\"KiB\":%zu,\"cycles_per_load\":%.2f}\n",kb,(double)h/n); }
 for(size_t kb: {64,512,2048,8192,20480,40960,131072,1048576,4194304-65536}){ size_t step=kb<=2048?16:(kb<=40960?128:4096); size_t n=kb*1024/(step*8); ptr_init<<<1,256>>>((void**)big,n,step); int m=(int)std::min(n,(size_t)65536); ptr_chase<<<1,1>>>(d,(void**)big,m,1); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"micro\":\"pointer_chase_cg\",\"KiB\":%zu,\"stride_B\":%zu,\"loads\":%d,\"cycles_per_load\":%.2f}\n",kb,step*8,m,(double)h/m); }
 CK(cudaMemset(big,0,BIG));
 CK(cudaFuncSetAttribute(bar_many,cudaFuncAttributeMaxDynamicSharedMemorySize,227*1024)); CK(cudaFuncSetAttribute(empty_dyn,cudaFuncAttributeMaxDynamicSharedMemorySize,227*1024));
 for(int t: {32,64,128,256,512,1024}) for(int r: {1,2,4,8}) if(t*r<=2048){ int sm=r==1?200*1024:(227*1024/r-1024)/1024*1024; bar_many<<<132*r,t,sm>>>(d,2000); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"micro\":\"syncthreads\",\"threads\":%d,\"blocks_per_sm\":%d,\"cycles_per_barrier\":%.3f}\n",t,r,h/2000.0); }
 for(int t: {32,64,128,256,512,1024}) for(int r: {1,2,4,8,16,32}) if(t*r<=2048){ int sm=r==1?200*1024:(int)((233472/r-1024)/128*128); int blocks=132*r*(r<4?400:200); float ms=timed([&]{empty_dyn<<<blocks,t,sm>>>(nullptr);}); printf("{\"empty_blocks_of\":%d,\"blocks_per_sm\":%d,\"blocks\":%d,\"ms\":%.5f,\"ns_per_block\":%.4f,\"block_residency_cycles\":%.1f}\n",t,r,blocks,ms,(ms-0.0035)*1e6/blocks,(ms-0.0035)*1e6/blocks*132*r*1.98); }
 for(size_t mb: {8,16,24,32,40,48}){ size_t n=mb*1024*1024/16; int reps=40; float ms=timed([&]{read_cg<<<132*2,1024>>>((int4*)big,n,reps);}); printf("{\"l2_read_MiB\":%zu,\"GBps\":%.1f}\n",mb,(double)mb*1048576*reps/ms/1e6); }
 { size_t n=BIG/16; float ms=timed([&]{read_cg<<<132*2,1024>>>((int4*)big,n,1);}); printf("{\"dram_read\":\"int4 x4\",\"GBps\":%.1f}\n",BIG/ms/1e6); ms=timed([&]{write4<<<132*2,1024>>>((int4*)big,n);}); printf("{\"dram_write\":\"int4\",\"GBps\":%.1f}\n",BIG/ms/1e6); ms=timed([&]{copy4<<<132*2,1024>>>((int4*)big,(int4*)big+n/2,n/2);}); printf("{\"dram_copy\":\"int4\",\"GBps_read_plus_write\":%.1f}\n",BIG/ms/1e6); }
 for(int s: {1,2,4,8,16,32}){ size_t n=BIG/4; int blocks=(int)(n/s/8/256); if(blocks>131072) blocks=131072; float ms=timed([&]{strided_read<<<blocks,256>>>(big,n,s);}); double el=(double)blocks*256*8; printf("{\"strided_read_words\":%d,\"useful_GBps\":%.1f,\"sector_GBps\":%.1f}\n",s,el*4/ms/1e6,el*4*std::min(s,8)/ms/1e6); }
 { int n=64; auto rep=[&](const char* m,float ms,double warps,double lanes){ printf("{\"atomic\":\"%s\",\"ms\":%.5f,\"ns_per_warp_op\":%.4f,\"lane_ops_per_ns\":%.3f}\n",m,ms,(ms-0.0035)*1e6/(warps*n),warps*n*lanes/((ms-0.0035)*1e6)); };
  for(int g: {1,16,132,1056}){ double w=g*8; printf("{\"atomic_grid\":%d,\"block\":256}\n",g); rep("red 32 lanes one address",timed([&]{reds<0><<<g,256>>>(big,n);}),w,32); rep("red one lane a warp, one address",timed([&]{reds<5><<<g,256>>>(big,n);}),w,1); rep("red 32 lanes consecutive, same line for all warps",timed([&]{reds<1><<<g,256>>>(big,n);}),w,32); rep("red 32 lanes consecutive, own line a warp",timed([&]{reds<2><<<g,256>>>(big,n);}),w,32); rep("red 32 lanes one address, own sector a warp",timed([&]{reds<3><<<g,256>>>(big,n);}),w,32); rep("red 32 lanes in 32 lines, same for all warps",timed([&]{reds<4><<<g,256>>>(big,n);}),w,32);} }
 for(int t: {1,32}){ atom_chain<<<1,t>>>(d,big,256); atom_chain<<<1,t>>>(d,big,256); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"micro\":\"global_atomic_returning_chain\",\"threads\":%d,\"cycles_per_op\":%.2f}\n",t,h/256.0); }
 for(int ret: {1,0}) for(int deg: {1,2,4,8,16,32}) for(int t: {32,1024}){ satom<<<1,t>>>(d,deg,ret); satom<<<1,t>>>(d,deg,ret); cudaMemcpy(&h,d,8,cudaMemcpyDefault); printf("{\"micro\":\"%s\",\"lanes_per_address\":%d,\"threads\":%d,\"cycles_per_warp_op\":%.3f}\n",ret?"shared_atomic_returning":"shared_red",deg,t,(double)h/(64.0*(t/32))); }
 for(int g: {1,132,1320,13200}){ float ms=timed([&]{empty_dyn<<<g,256>>>(nullptr);},21); printf("{\"event_timed_empty_grid\":%d,\"us\":%.3f}\n",g,ms*1e3); }
 CK(cudaDeviceSynchronize()); CK(cudaGetLastError()); return 0; }
