// Kernels with planted faults, each run alone and under each tool of compute-sanitizer: ./a.out NUMBER; rows in faults.json.
#include <cstdio>
#include <cstdlib>
#define K(m) __global__ void m(int*a,int*b,int n){int t=threadIdx.x,c=blockIdx.x,g=c*256+t;
#define S __shared__ int s[256];
#define B __syncthreads();
#define L(h,e) for(int k=h;k>=e;k/=2)
#define I s[t]=g<n?a[g]:0;B
#define O(r) if(!t)b[c]=r;}
#define V(d) L(128,64){if(t<k)d[t]+=d[t+k];B}if(t<32){volatile int*v=d;v[t]+=v[t+32];v[t]+=v[t+16];v[t]+=v[t+8];v[t]+=v[t+4];v[t]+=v[t+2];v[t]+=v[t+1];}O(d[0])
#define D __shfl_down_sync
K(k0)S if(g<n)s[t]=a[g];B L(128,1){if(t<k)s[t]+=s[t+k];B}O(s[0])
K(k1)S I L(128,1)if(t<k)s[t]+=s[t+k];O(s[0])
K(k2)S I L(128,1)if(t<k){s[t]+=s[t+k];B}O(s[0])
K(k3)if(g>=n)return;L(128,1){if(t<k&&g+k<n)a[g]+=a[g+k];B}O(a[g])
K(k4)int*d=a+256*c;V(d)
K(k5)S I V(s)
K(k6)if(t<n){int v=a[t];L(16,1)v+=D(~0u,v,k);O(v)}
K(k7)if(t<n){int v=a[t];L(16,1)v+=__shfl_xor_sync(~0u,v,k);O(v)}
K(k8)if(t<n){unsigned u=__activemask();int v=a[t];L(16,1){int o=D(u,v,k);if(t+k<n)v+=o;}O(v)}
K(k9)int v=a[t];L(16,1)v+=D(65535u,v,k);O(v)
K(k10)if(g<n)atomicAdd(b,a[g]);}
K(k11)S s[t]=g<=n?a[g]:0;B L(128,1){if(t<k)s[t]+=s[t+k];B}O(s[0])
int main(int c,char**v){void(*f[])(int*,int*,int)={k0,k1,k2,k3,k4,k5,k6,k7,k8,k9,k10,k11};int q=atoi(v[1]),w=q>5&&q<10,n=w?20:q==4?1024:1000,*a,*b,h[1024];for(int&x:h)x=1;cudaMalloc(&a,4*(w?32:n));cudaMalloc(&b,16);cudaMemcpy(a,h,4*(w?32:n),cudaMemcpyHostToDevice);f[q]<<<w?1:4,w?32:256>>>(a,b,n);puts(cudaGetErrorString(cudaDeviceSynchronize()));cudaMemcpy(h,b,16,cudaMemcpyDeviceToHost);printf("k%d %d %d %d %d\n",q,h[0],h[1],h[2],h[3]);}
