// Three ways to scan ints over blocks of 256: a chain of blocks, look-back by one thread, five launches. What an H200 printed is in
// measured.json. Compile and run: nvcc -O3 -arch=native -o scan single-pass-scan.cu && ./scan
#include <cstdio>
#include <vector>
#include <algorithm>
typedef int*P;
__device__ int S(int v) {
  __shared__ int w[32];
  int t=threadIdx.x,l=t&31;
  for(int s=1;s<32;s*=2) {
    int o=__shfl_up_sync(-1,v,s);
    if(l>=s)v+=o;
  }
  if(l==31)w[t>>5]=v;
  __syncthreads();
  if(t<32) {
    int x=t<blockDim.x>>5?w[t]:0;
    for(int s=1;s<32;s*=2) {
      int o=__shfl_up_sync(-1,x,s);
      if(l>=s)x+=o;
    }
    w[t]=x;
  }
  __syncthreads();
  return v+(t>31?w[(t>>5)-1]:0);
}
template<int L>__global__ void one(P in,P out,P st,int n) {
  __shared__ int p,f;
  int t=threadIdx.x;
  if(!t)p=atomicAdd(st,1);
  __syncthreads();
  int b=p,i=b*256+t,u=S(i<n?in[i]:0);
  if(t==255) {
    int o=3*b+1,s=0,a=o-3;
    if(L) {
      st[o+1]=u;
      __threadfence();
      atomicExch(st+o,1);
    }
    while(a>0) {
      int k;
      do k=atomicAdd(st+a,0);
      while(!k);
      __threadfence();
      s+=((volatile int*)st)[a+k];
      a=k==2?0:a-3;
    }
    st[o+2]=s+u;
    __threadfence();
    atomicExch(st+o,2);
    f=s;
  }
  __syncthreads();
  if(i<n)out[i]=f+u;
}
__global__ void sc(P in,P out,P su,int n) {
  int i=blockIdx.x*256+threadIdx.x,u=S(i<n?in[i]:0);
  if(i<n)out[i]=u;
  if(threadIdx.x==255)su[blockIdx.x]=u;
}
__global__ void ad(P out,P su,int n) {
  int i=blockIdx.x*256+threadIdx.x;
  if(blockIdx.x&&i<n)out[i]+=su[blockIdx.x-1];
}
int main() {
  for(int n:{1<<20,1<<24}) {
    int g=n/256;
    std::vector<int>h(n),r(n);
    for(int i=0;i<n;i++)h[i]=i%11;
    P a,o,s,x,y;
    cudaMalloc(&a,n*4);
    cudaMalloc(&o,n*4);
    cudaMalloc(&s,g*12+4);
    cudaMalloc(&x,g*4);
    cudaMalloc(&y,g*4);
    cudaMemcpy(a,&h[0],n*4,cudaMemcpyHostToDevice);
    cudaEvent_t b,e;
    cudaEventCreate(&b);
    cudaEventCreate(&e);
    for(int m=0;m<3;m++) {
      std::vector<float>v;
      for(int k=0;k<21;k++) {
        cudaMemset(s,0,g*12+4);
        cudaEventRecord(b);
        if(m==0)one<0><<<g,256>>>(a,o,s,n);
        if(m==1)one<1><<<g,256>>>(a,o,s,n);
        if(m==2) {
          sc<<<g,256>>>(a,o,x,n);
          sc<<<g/256,256>>>(x,x,y,g);
          sc<<<1,256>>>(y,y,s,g/256);
          ad<<<g/256,256>>>(x,y,g);
          ad<<<g,256>>>(o,x,n);
        }
        cudaEventRecord(e);
        cudaDeviceSynchronize();
        float q;
        cudaEventElapsedTime(&q,b,e);
        v.push_back(q);
      }
      cudaMemcpy(&r[0],o,n*4,cudaMemcpyDeviceToHost);
      int bad=0,z=0;
      for(int i=0;i<n;i++)bad+=r[i]!=(z+=h[i]);
      std::sort(v.begin(),v.end());
      printf("n %d way %d ms %.4f (%.4f to %.4f) wrong %d %s\n",n,m,v[10],v[0],v[20],bad,cudaGetErrorString(cudaGetLastError()));
    }
  }
}
