/** The words of CUDA's Math API and its functions on bits, as names to import: `words.ts` says how. */
import type { Cuda } from "./cuda.js";
import { word } from "./word.js";

/** CUDA's `min`. */
export const min: Cuda["min"] = word("min");
/** CUDA's `max`. */
export const max: Cuda["max"] = word("max");
/** CUDA's `fmin`. */
export const fmin: Cuda["fmin"] = word("fmin");
/** CUDA's `fmax`. */
export const fmax: Cuda["fmax"] = word("fmax");
/** CUDA's `fminf`. */
export const fminf: Cuda["fminf"] = word("fminf");
/** CUDA's `fmaxf`. */
export const fmaxf: Cuda["fmaxf"] = word("fmaxf");
/** CUDA's `abs`. */
export const abs: Cuda["abs"] = word("abs");
/** CUDA's `fabs`. */
export const fabs: Cuda["fabs"] = word("fabs");
/** CUDA's `fabsf`. */
export const fabsf: Cuda["fabsf"] = word("fabsf");
/** Integer division, truncating towards zero: CUDA's `/` between integers. */
export const idiv: Cuda["idiv"] = word("idiv");
/** CUDA's `sqrt`. */
export const sqrt: Cuda["sqrt"] = word("sqrt");
/** CUDA's `sqrtf`. */
export const sqrtf: Cuda["sqrtf"] = word("sqrtf");
/** CUDA's `rsqrt`. */
export const rsqrt: Cuda["rsqrt"] = word("rsqrt");
/** CUDA's `rsqrtf`. */
export const rsqrtf: Cuda["rsqrtf"] = word("rsqrtf");
/** CUDA's `rcp`. */
export const rcp: Cuda["rcp"] = word("rcp");
/** CUDA's `rcpf`. */
export const rcpf: Cuda["rcpf"] = word("rcpf");
/** CUDA's `exp`. */
export const exp: Cuda["exp"] = word("exp");
/** CUDA's `expf`. */
export const expf: Cuda["expf"] = word("expf");
/** CUDA's `exp2`. */
export const exp2: Cuda["exp2"] = word("exp2");
/** CUDA's `exp2f`. */
export const exp2f: Cuda["exp2f"] = word("exp2f");
/** CUDA's `log`. */
export const log: Cuda["log"] = word("log");
/** CUDA's `logf`. */
export const logf: Cuda["logf"] = word("logf");
/** CUDA's `log2`. */
export const log2: Cuda["log2"] = word("log2");
/** CUDA's `log2f`. */
export const log2f: Cuda["log2f"] = word("log2f");
/** CUDA's `sin`. */
export const sin: Cuda["sin"] = word("sin");
/** CUDA's `sinf`. */
export const sinf: Cuda["sinf"] = word("sinf");
/** CUDA's `cos`. */
export const cos: Cuda["cos"] = word("cos");
/** CUDA's `cosf`. */
export const cosf: Cuda["cosf"] = word("cosf");
/** CUDA's `tanh`. */
export const tanh: Cuda["tanh"] = word("tanh");
/** CUDA's `tanhf`. */
export const tanhf: Cuda["tanhf"] = word("tanhf");
/** CUDA's `exp10`. */
export const exp10: Cuda["exp10"] = word("exp10");
/** CUDA's `exp10f`. */
export const exp10f: Cuda["exp10f"] = word("exp10f");
/** CUDA's `expm1`. */
export const expm1: Cuda["expm1"] = word("expm1");
/** CUDA's `expm1f`. */
export const expm1f: Cuda["expm1f"] = word("expm1f");
/** CUDA's `log10`. */
export const log10: Cuda["log10"] = word("log10");
/** CUDA's `log10f`. */
export const log10f: Cuda["log10f"] = word("log10f");
/** CUDA's `log1p`. */
export const log1p: Cuda["log1p"] = word("log1p");
/** CUDA's `log1pf`. */
export const log1pf: Cuda["log1pf"] = word("log1pf");
/** CUDA's `tan`. */
export const tan: Cuda["tan"] = word("tan");
/** CUDA's `tanf`. */
export const tanf: Cuda["tanf"] = word("tanf");
/** CUDA's `asin`. */
export const asin: Cuda["asin"] = word("asin");
/** CUDA's `asinf`. */
export const asinf: Cuda["asinf"] = word("asinf");
/** CUDA's `acos`. */
export const acos: Cuda["acos"] = word("acos");
/** CUDA's `acosf`. */
export const acosf: Cuda["acosf"] = word("acosf");
/** CUDA's `atan`. */
export const atan: Cuda["atan"] = word("atan");
/** CUDA's `atanf`. */
export const atanf: Cuda["atanf"] = word("atanf");
/** CUDA's `sinh`. */
export const sinh: Cuda["sinh"] = word("sinh");
/** CUDA's `sinhf`. */
export const sinhf: Cuda["sinhf"] = word("sinhf");
/** CUDA's `cosh`. */
export const cosh: Cuda["cosh"] = word("cosh");
/** CUDA's `coshf`. */
export const coshf: Cuda["coshf"] = word("coshf");
/** CUDA's `asinh`. */
export const asinh: Cuda["asinh"] = word("asinh");
/** CUDA's `asinhf`. */
export const asinhf: Cuda["asinhf"] = word("asinhf");
/** CUDA's `acosh`. */
export const acosh: Cuda["acosh"] = word("acosh");
/** CUDA's `acoshf`. */
export const acoshf: Cuda["acoshf"] = word("acoshf");
/** CUDA's `atanh`. */
export const atanh: Cuda["atanh"] = word("atanh");
/** CUDA's `atanhf`. */
export const atanhf: Cuda["atanhf"] = word("atanhf");
/** CUDA's `cbrt`. */
export const cbrt: Cuda["cbrt"] = word("cbrt");
/** CUDA's `cbrtf`. */
export const cbrtf: Cuda["cbrtf"] = word("cbrtf");
/** CUDA's `sinpi`. */
export const sinpi: Cuda["sinpi"] = word("sinpi");
/** CUDA's `sinpif`. */
export const sinpif: Cuda["sinpif"] = word("sinpif");
/** CUDA's `cospi`. */
export const cospi: Cuda["cospi"] = word("cospi");
/** CUDA's `cospif`. */
export const cospif: Cuda["cospif"] = word("cospif");
/** CUDA's `atan2`. */
export const atan2: Cuda["atan2"] = word("atan2");
/** CUDA's `atan2f`. */
export const atan2f: Cuda["atan2f"] = word("atan2f");
/** CUDA's `hypot`. */
export const hypot: Cuda["hypot"] = word("hypot");
/** CUDA's `hypotf`. */
export const hypotf: Cuda["hypotf"] = word("hypotf");
/** CUDA's `fmod`. */
export const fmod: Cuda["fmod"] = word("fmod");
/** CUDA's `fmodf`. */
export const fmodf: Cuda["fmodf"] = word("fmodf");
/** CUDA's `copysign`. */
export const copysign: Cuda["copysign"] = word("copysign");
/** CUDA's `copysignf`. */
export const copysignf: Cuda["copysignf"] = word("copysignf");
/** CUDA's `fdim`. */
export const fdim: Cuda["fdim"] = word("fdim");
/** CUDA's `fdimf`. */
export const fdimf: Cuda["fdimf"] = word("fdimf");
/** CUDA's `pow`. */
export const pow: Cuda["pow"] = word("pow");
/** CUDA's `powf`. */
export const powf: Cuda["powf"] = word("powf");
/** CUDA's `floor`. */
export const floor: Cuda["floor"] = word("floor");
/** CUDA's `floorf`. */
export const floorf: Cuda["floorf"] = word("floorf");
/** CUDA's `ceil`. */
export const ceil: Cuda["ceil"] = word("ceil");
/** CUDA's `ceilf`. */
export const ceilf: Cuda["ceilf"] = word("ceilf");
/** CUDA's `trunc`. */
export const trunc: Cuda["trunc"] = word("trunc");
/** CUDA's `truncf`. */
export const truncf: Cuda["truncf"] = word("truncf");
/** CUDA's `rint`. */
export const rint: Cuda["rint"] = word("rint");
/** CUDA's `rintf`. */
export const rintf: Cuda["rintf"] = word("rintf");
/** CUDA's `nearbyint`. */
export const nearbyint: Cuda["nearbyint"] = word("nearbyint");
/** CUDA's `nearbyintf`. */
export const nearbyintf: Cuda["nearbyintf"] = word("nearbyintf");
/** CUDA's `round`. */
export const round: Cuda["round"] = word("round");
/** CUDA's `roundf`. */
export const roundf: Cuda["roundf"] = word("roundf");
/** CUDA's `fma`. */
export const fma: Cuda["fma"] = word("fma");
/** CUDA's `fmaf`. */
export const fmaf: Cuda["fmaf"] = word("fmaf");
/** CUDA's `__expf`. */
export const __expf: Cuda["__expf"] = word("__expf");
/** CUDA's `__logf`. */
export const __logf: Cuda["__logf"] = word("__logf");
/** CUDA's `__sinf`. */
export const __sinf: Cuda["__sinf"] = word("__sinf");
/** CUDA's `__cosf`. */
export const __cosf: Cuda["__cosf"] = word("__cosf");
/** CUDA's `__tanf`. */
export const __tanf: Cuda["__tanf"] = word("__tanf");
/** CUDA's `__exp10f`. */
export const __exp10f: Cuda["__exp10f"] = word("__exp10f");
/** CUDA's `__log2f`. */
export const __log2f: Cuda["__log2f"] = word("__log2f");
/** CUDA's `__log10f`. */
export const __log10f: Cuda["__log10f"] = word("__log10f");
/** CUDA's `__powf`. */
export const __powf: Cuda["__powf"] = word("__powf");
/** CUDA's `__fdividef`. */
export const __fdividef: Cuda["__fdividef"] = word("__fdividef");
/** CUDA's `fdividef`. */
export const fdividef: Cuda["fdividef"] = word("fdividef");
/** CUDA's `__saturatef`. */
export const __saturatef: Cuda["__saturatef"] = word("__saturatef");
/** CUDA's `saturate`. */
export const saturate: Cuda["saturate"] = word("saturate");
/** CUDA's `__frcp_rn`. */
export const __frcp_rn: Cuda["__frcp_rn"] = word("__frcp_rn");
/** CUDA's `__fsqrt_rn`. */
export const __fsqrt_rn: Cuda["__fsqrt_rn"] = word("__fsqrt_rn");
/** CUDA's `__fmaf_rn`. */
export const __fmaf_rn: Cuda["__fmaf_rn"] = word("__fmaf_rn");
/** CUDA's `__fadd_rn`. */
export const __fadd_rn: Cuda["__fadd_rn"] = word("__fadd_rn");
/** CUDA's `__fsub_rn`. */
export const __fsub_rn: Cuda["__fsub_rn"] = word("__fsub_rn");
/** CUDA's `__fmul_rn`. */
export const __fmul_rn: Cuda["__fmul_rn"] = word("__fmul_rn");
/** CUDA's `__fdiv_rn`. */
export const __fdiv_rn: Cuda["__fdiv_rn"] = word("__fdiv_rn");
/** CUDA's `__dadd_rn`. */
export const __dadd_rn: Cuda["__dadd_rn"] = word("__dadd_rn");
/** CUDA's `__dsub_rn`. */
export const __dsub_rn: Cuda["__dsub_rn"] = word("__dsub_rn");
/** CUDA's `__dmul_rn`. */
export const __dmul_rn: Cuda["__dmul_rn"] = word("__dmul_rn");
/** CUDA's `__ddiv_rn`. */
export const __ddiv_rn: Cuda["__ddiv_rn"] = word("__ddiv_rn");
/** CUDA's `__dsqrt_rn`. */
export const __dsqrt_rn: Cuda["__dsqrt_rn"] = word("__dsqrt_rn");
/** CUDA's `__drcp_rn`. */
export const __drcp_rn: Cuda["__drcp_rn"] = word("__drcp_rn");
/** CUDA's `__fma_rn`. */
export const __fma_rn: Cuda["__fma_rn"] = word("__fma_rn");
/** CUDA's `isnan`. */
export const isnan: Cuda["isnan"] = word("isnan");
/** CUDA's `isinf`. */
export const isinf: Cuda["isinf"] = word("isinf");
/** CUDA's `isfinite`. */
export const isfinite: Cuda["isfinite"] = word("isfinite");
/** CUDA's `signbit`. */
export const signbit: Cuda["signbit"] = word("signbit");
/** The number of bits that are set: `__popc(x)`. */
export const popc: Cuda["popc"] = word("popc");
/** CUDA's `popcll`. */
export const popcll: Cuda["popcll"] = word("popcll");
/** The number of the lowest set bit, from 1; 0 if none: `__ffs(x)`. */
export const ffs: Cuda["ffs"] = word("ffs");
/** CUDA's `ffsll`. */
export const ffsll: Cuda["ffsll"] = word("ffsll");
/** The number of zero bits above the highest set one: `__clz(x)`. */
export const clz: Cuda["clz"] = word("clz");
/** CUDA's `clzll`. */
export const clzll: Cuda["clzll"] = word("clzll");
/** The bits in reverse order: `__brev(x)`. */
export const brev: Cuda["brev"] = word("brev");
/** CUDA's `brevll`. */
export const brevll: Cuda["brevll"] = word("brevll");
/** CUDA's `byte_perm`. */
export const byte_perm: Cuda["byte_perm"] = word("byte_perm");
/** CUDA's `mulhi`. */
export const mulhi: Cuda["mulhi"] = word("mulhi");
/** CUDA's `umulhi`. */
export const umulhi: Cuda["umulhi"] = word("umulhi");
/** CUDA's `mul64hi`. */
export const mul64hi: Cuda["mul64hi"] = word("mul64hi");
/** CUDA's `umul64hi`. */
export const umul64hi: Cuda["umul64hi"] = word("umul64hi");
/** CUDA's `mul24`. */
export const mul24: Cuda["mul24"] = word("mul24");
/** CUDA's `umul24`. */
export const umul24: Cuda["umul24"] = word("umul24");
/** CUDA's `funnelshift_l`. */
export const funnelshift_l: Cuda["funnelshift_l"] = word("funnelshift_l");
/** CUDA's `funnelshift_lc`. */
export const funnelshift_lc: Cuda["funnelshift_lc"] = word("funnelshift_lc");
/** CUDA's `funnelshift_r`. */
export const funnelshift_r: Cuda["funnelshift_r"] = word("funnelshift_r");
/** CUDA's `funnelshift_rc`. */
export const funnelshift_rc: Cuda["funnelshift_rc"] = word("funnelshift_rc");
/** CUDA's `float_as_int`. */
export const float_as_int: Cuda["float_as_int"] = word("float_as_int");
/** CUDA's `float_as_uint`. */
export const float_as_uint: Cuda["float_as_uint"] = word("float_as_uint");
/** CUDA's `int_as_float`. */
export const int_as_float: Cuda["int_as_float"] = word("int_as_float");
/** CUDA's `uint_as_float`. */
export const uint_as_float: Cuda["uint_as_float"] = word("uint_as_float");
/** CUDA's `double_as_longlong`. */
export const double_as_longlong: Cuda["double_as_longlong"] = word("double_as_longlong");
/** CUDA's `longlong_as_double`. */
export const longlong_as_double: Cuda["longlong_as_double"] = word("longlong_as_double");
/** The number of bits that are set: `__popc(x)`. */
export const __popc: Cuda["__popc"] = word("__popc");
/** CUDA's `__popcll`. */
export const __popcll: Cuda["__popcll"] = word("__popcll");
/** The number of the lowest set bit, from 1; 0 if none: `__ffs(x)`. */
export const __ffs: Cuda["__ffs"] = word("__ffs");
/** CUDA's `__ffsll`. */
export const __ffsll: Cuda["__ffsll"] = word("__ffsll");
/** The number of zero bits above the highest set one: `__clz(x)`. */
export const __clz: Cuda["__clz"] = word("__clz");
/** CUDA's `__clzll`. */
export const __clzll: Cuda["__clzll"] = word("__clzll");
/** The bits in reverse order: `__brev(x)`. */
export const __brev: Cuda["__brev"] = word("__brev");
/** CUDA's `__brevll`. */
export const __brevll: Cuda["__brevll"] = word("__brevll");
/** CUDA's `__byte_perm`. */
export const __byte_perm: Cuda["__byte_perm"] = word("__byte_perm");
/** CUDA's `__mulhi`. */
export const __mulhi: Cuda["__mulhi"] = word("__mulhi");
/** CUDA's `__umulhi`. */
export const __umulhi: Cuda["__umulhi"] = word("__umulhi");
/** CUDA's `__mul64hi`. */
export const __mul64hi: Cuda["__mul64hi"] = word("__mul64hi");
/** CUDA's `__umul64hi`. */
export const __umul64hi: Cuda["__umul64hi"] = word("__umul64hi");
/** CUDA's `__mul24`. */
export const __mul24: Cuda["__mul24"] = word("__mul24");
/** CUDA's `__umul24`. */
export const __umul24: Cuda["__umul24"] = word("__umul24");
/** CUDA's `__funnelshift_l`. */
export const __funnelshift_l: Cuda["__funnelshift_l"] = word("__funnelshift_l");
/** CUDA's `__funnelshift_r`. */
export const __funnelshift_r: Cuda["__funnelshift_r"] = word("__funnelshift_r");
/** CUDA's `__funnelshift_lc`. */
export const __funnelshift_lc: Cuda["__funnelshift_lc"] = word("__funnelshift_lc");
/** CUDA's `__funnelshift_rc`. */
export const __funnelshift_rc: Cuda["__funnelshift_rc"] = word("__funnelshift_rc");
/** CUDA's `__float_as_int`. */
export const __float_as_int: Cuda["__float_as_int"] = word("__float_as_int");
/** CUDA's `__float_as_uint`. */
export const __float_as_uint: Cuda["__float_as_uint"] = word("__float_as_uint");
/** CUDA's `__int_as_float`. */
export const __int_as_float: Cuda["__int_as_float"] = word("__int_as_float");
/** CUDA's `__uint_as_float`. */
export const __uint_as_float: Cuda["__uint_as_float"] = word("__uint_as_float");
/** CUDA's `__double_as_longlong`. */
export const __double_as_longlong: Cuda["__double_as_longlong"] = word("__double_as_longlong");
/** CUDA's `__longlong_as_double`. */
export const __longlong_as_double: Cuda["__longlong_as_double"] = word("__longlong_as_double");
/** From float to int, to the nearest, even. */
export const __float2int_rn: Cuda["__float2int_rn"] = word("__float2int_rn");
/** From float to int, towards zero. */
export const __float2int_rz: Cuda["__float2int_rz"] = word("__float2int_rz");
/** From float to int, down. */
export const __float2int_rd: Cuda["__float2int_rd"] = word("__float2int_rd");
/** From float to int, up. */
export const __float2int_ru: Cuda["__float2int_ru"] = word("__float2int_ru");
/** From float to unsigned int, to the nearest, even. */
export const __float2uint_rn: Cuda["__float2uint_rn"] = word("__float2uint_rn");
/** From float to unsigned int, towards zero. */
export const __float2uint_rz: Cuda["__float2uint_rz"] = word("__float2uint_rz");
/** From float to unsigned int, down. */
export const __float2uint_rd: Cuda["__float2uint_rd"] = word("__float2uint_rd");
/** From float to unsigned int, up. */
export const __float2uint_ru: Cuda["__float2uint_ru"] = word("__float2uint_ru");
/** From float to long long, to the nearest, even. */
export const __float2ll_rn: Cuda["__float2ll_rn"] = word("__float2ll_rn");
/** From float to long long, towards zero. */
export const __float2ll_rz: Cuda["__float2ll_rz"] = word("__float2ll_rz");
/** From float to long long, down. */
export const __float2ll_rd: Cuda["__float2ll_rd"] = word("__float2ll_rd");
/** From float to long long, up. */
export const __float2ll_ru: Cuda["__float2ll_ru"] = word("__float2ll_ru");
/** From float to unsigned long long, to the nearest, even. */
export const __float2ull_rn: Cuda["__float2ull_rn"] = word("__float2ull_rn");
/** From float to unsigned long long, towards zero. */
export const __float2ull_rz: Cuda["__float2ull_rz"] = word("__float2ull_rz");
/** From float to unsigned long long, down. */
export const __float2ull_rd: Cuda["__float2ull_rd"] = word("__float2ull_rd");
/** From float to unsigned long long, up. */
export const __float2ull_ru: Cuda["__float2ull_ru"] = word("__float2ull_ru");
/** From double to int, to the nearest, even. */
export const __double2int_rn: Cuda["__double2int_rn"] = word("__double2int_rn");
/** From double to int, towards zero. */
export const __double2int_rz: Cuda["__double2int_rz"] = word("__double2int_rz");
/** From double to int, down. */
export const __double2int_rd: Cuda["__double2int_rd"] = word("__double2int_rd");
/** From double to int, up. */
export const __double2int_ru: Cuda["__double2int_ru"] = word("__double2int_ru");
/** From double to unsigned int, to the nearest, even. */
export const __double2uint_rn: Cuda["__double2uint_rn"] = word("__double2uint_rn");
/** From double to unsigned int, towards zero. */
export const __double2uint_rz: Cuda["__double2uint_rz"] = word("__double2uint_rz");
/** From double to unsigned int, down. */
export const __double2uint_rd: Cuda["__double2uint_rd"] = word("__double2uint_rd");
/** From double to unsigned int, up. */
export const __double2uint_ru: Cuda["__double2uint_ru"] = word("__double2uint_ru");
/** From double to long long, to the nearest, even. */
export const __double2ll_rn: Cuda["__double2ll_rn"] = word("__double2ll_rn");
/** From double to long long, towards zero. */
export const __double2ll_rz: Cuda["__double2ll_rz"] = word("__double2ll_rz");
/** From double to long long, down. */
export const __double2ll_rd: Cuda["__double2ll_rd"] = word("__double2ll_rd");
/** From double to long long, up. */
export const __double2ll_ru: Cuda["__double2ll_ru"] = word("__double2ll_ru");
/** From double to unsigned long long, to the nearest, even. */
export const __double2ull_rn: Cuda["__double2ull_rn"] = word("__double2ull_rn");
/** From double to unsigned long long, towards zero. */
export const __double2ull_rz: Cuda["__double2ull_rz"] = word("__double2ull_rz");
/** From double to unsigned long long, down. */
export const __double2ull_rd: Cuda["__double2ull_rd"] = word("__double2ull_rd");
/** From double to unsigned long long, up. */
export const __double2ull_ru: Cuda["__double2ull_ru"] = word("__double2ull_ru");
