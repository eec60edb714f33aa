/**
 * Names that the headers of a CUDA program define, so that a kernel's text cannot: nvcc 13.0 with glibc says so. The test of
 * these lists asks the nvcc of the machine.
 */

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(" "));
}

/** Macros without arguments: no name at all may be one of them. */
const MACROS: ReadonlySet<string> = words(
  "AIO_PRIO_DELTA_MAX BC_BASE_MAX BC_DIM_MAX BC_SCALE_MAX BC_STRING_MAX BIG_ENDIAN BOOL_MAX BOOL_WIDTH BUFSIZ " +
    "BYTE_ORDER CHARCLASS_NAME_MAX CHAR_BIT CHAR_MAX CHAR_MIN CHAR_WIDTH CLOCKS_PER_SEC COLL_WEIGHTS_MAX CSIGNAL " +
    "DECIMAL_DIG DELAYTIMER_MAX E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EADV EAFNOSUPPORT EAGAIN EALREADY EBADE " +
    "EBADF EBADFD EBADMSG EBADR EBADRQC EBADSLT EBFONT EBUSY ECANCELED ECHILD ECHRNG ECOMM ECONNABORTED " +
    "ECONNREFUSED ECONNRESET EDEADLK EDEADLOCK EDESTADDRREQ EDOM EDOTDOT EDQUOT EEXIST EFAULT EFBIG EHOSTDOWN " +
    "EHOSTUNREACH EHWPOISON EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR EISNAM EKEYEXPIRED " +
    "EKEYREJECTED EKEYREVOKED EL2HLT EL2NSYNC EL3HLT EL3RST ELIBACC ELIBBAD ELIBEXEC ELIBMAX ELIBSCN ELNRNG ELOOP " +
    "EMEDIUMTYPE EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENAVAIL ENETDOWN ENETRESET ENETUNREACH ENFILE " +
    "ENOANO ENOBUFS ENOCSI ENODATA ENODEV ENOENT ENOEXEC ENOKEY ENOLCK ENOLINK ENOMEDIUM ENOMEM ENOMSG ENONET " +
    "ENOPKG ENOPROTOOPT ENOSPC ENOSR ENOSTR ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY ENOTNAM ENOTRECOVERABLE " +
    "ENOTSOCK ENOTSUP ENOTTY ENOTUNIQ ENXIO EOF EOPNOTSUPP EOVERFLOW EOWNERDEAD EPERM EPFNOSUPPORT EPIPE EPROTO " +
    "EPROTONOSUPPORT EPROTOTYPE ERANGE EREMCHG EREMOTE EREMOTEIO ERESTART ERFKILL EROFS ESHUTDOWN ESOCKTNOSUPPORT " +
    "ESPIPE ESRCH ESRMNT ESTALE ESTRPIPE ETIME ETIMEDOUT ETOOMANYREFS ETXTBSY EUCLEAN EUNATCH EUSERS EWOULDBLOCK " +
    "EXDEV EXFULL EXIT_FAILURE EXIT_SUCCESS EXPR_NEST_MAX FD_SETSIZE FILENAME_MAX FOPEN_MAX FP_ILOGB0 FP_ILOGBNAN " +
    "FP_INFINITE FP_INT_DOWNWARD FP_INT_TONEAREST FP_INT_TONEARESTFROMZERO FP_INT_TOWARDZERO FP_INT_UPWARD " +
    "FP_LLOGB0 FP_LLOGBNAN FP_NAN FP_NORMAL FP_SUBNORMAL FP_ZERO HOST_NAME_MAX INFINITY INT16_MAX INT16_MIN " +
    "INT16_WIDTH INT32_MAX INT32_MIN INT32_WIDTH INT64_MAX INT64_MIN INT64_WIDTH INT8_MAX INT8_MIN INT8_WIDTH " +
    "INTMAX_MAX INTMAX_MIN INTMAX_WIDTH INTPTR_MAX INTPTR_MIN INTPTR_WIDTH INT_FAST16_MAX INT_FAST16_MIN " +
    "INT_FAST16_WIDTH INT_FAST32_MAX INT_FAST32_MIN INT_FAST32_WIDTH INT_FAST64_MAX INT_FAST64_MIN " +
    "INT_FAST64_WIDTH INT_FAST8_MAX INT_FAST8_MIN INT_FAST8_WIDTH INT_LEAST16_MAX INT_LEAST16_MIN " +
    "INT_LEAST16_WIDTH INT_LEAST32_MAX INT_LEAST32_MIN INT_LEAST32_WIDTH INT_LEAST64_MAX INT_LEAST64_MIN " +
    "INT_LEAST64_WIDTH INT_LEAST8_MAX INT_LEAST8_MIN INT_LEAST8_WIDTH INT_MAX INT_MIN INT_WIDTH IOV_MAX LINE_MAX " +
    "LITTLE_ENDIAN LLONG_MAX LLONG_MIN LLONG_WIDTH LOGIN_NAME_MAX LONG_BIT LONG_LONG_MAX LONG_LONG_MIN LONG_MAX " +
    "LONG_MIN LONG_WIDTH L_ctermid L_cuserid L_tmpnam MATH_ERREXCEPT MATH_ERRNO MAXFLOAT MAX_CANON MAX_INPUT " +
    "MB_CUR_MAX MB_LEN_MAX MOD_CLKA MOD_CLKB MOD_ESTERROR MOD_FREQUENCY MOD_MAXERROR MOD_MICRO MOD_NANO " +
    "MOD_OFFSET MOD_STATUS MOD_TAI MOD_TIMECONST MQ_PRIO_MAX NAME_MAX NAN NFDBITS NGROUPS_MAX NULL NZERO PATH_MAX " +
    "PDP_ENDIAN PIPE_BUF PTRDIFF_MAX PTRDIFF_MIN PTRDIFF_WIDTH P_tmpdir RAND_MAX RENAME_EXCHANGE RENAME_NOREPLACE " +
    "RENAME_WHITEOUT RE_DUP_MAX RTSIG_MAX SCHAR_MAX SCHAR_MIN SCHAR_WIDTH SEEK_CUR SEEK_DATA SEEK_END SEEK_HOLE " +
    "SEEK_SET SEM_VALUE_MAX SHRT_MAX SHRT_MIN SHRT_WIDTH SIG_ATOMIC_MAX SIG_ATOMIC_MIN SIG_ATOMIC_WIDTH SIZE_MAX " +
    "SIZE_WIDTH SSIZE_MAX TIME_UTC TMP_MAX TTY_NAME_MAX UCHAR_MAX UCHAR_WIDTH UINT16_MAX UINT16_WIDTH UINT32_MAX " +
    "UINT32_WIDTH UINT64_MAX UINT64_WIDTH UINT8_MAX UINT8_WIDTH UINTMAX_MAX UINTMAX_WIDTH UINTPTR_MAX " +
    "UINTPTR_WIDTH UINT_FAST16_MAX UINT_FAST16_WIDTH UINT_FAST32_MAX UINT_FAST32_WIDTH UINT_FAST64_MAX " +
    "UINT_FAST64_WIDTH UINT_FAST8_MAX UINT_FAST8_WIDTH UINT_LEAST16_MAX UINT_LEAST16_WIDTH UINT_LEAST32_MAX " +
    "UINT_LEAST32_WIDTH UINT_LEAST64_MAX UINT_LEAST64_WIDTH UINT_LEAST8_MAX UINT_LEAST8_WIDTH UINT_MAX UINT_WIDTH " +
    "ULLONG_MAX ULLONG_WIDTH ULONG_LONG_MAX ULONG_MAX ULONG_WIDTH USHRT_MAX USHRT_WIDTH WCHAR_MAX WCHAR_MIN " +
    "WCHAR_WIDTH WCONTINUED WEOF WEXITED WINT_MAX WINT_MIN WINT_WIDTH WNOHANG WNOWAIT WORD_BIT WSTOPPED WUNTRACED " +
    "XATTR_LIST_MAX XATTR_NAME_MAX XATTR_SIZE_MAX errno linux math_errhandling sched_priority stderr stdin stdout " +
    "unix",
);

/** Families of macros and of CUDA's names. */
const FAMILY =
  /^(cuda[A-Z]|CUDA|CU_|PTHREAD_|pthread_|CLONE_|CLOCK_|CPU_|SCHED_|ADJ_|TIMER_|STA_|FLT\d*X?_|DBL_|LDBL_|M_[A-Z0-9]+|LC_|NL_|SNAN|HUGE_VAL|LIBCUDACXX_|_POSIX|POSIX2?_|CCCL_|NV_)/;

/** Functions, types and variables at global scope, and macros with arguments. A parameter may have their names. */
const GLOBALS: ReadonlySet<string> = words(
  "CUuuid FD_CLR FD_ISSET FD_SET FD_ZERO FILE IF_DEVICE_OR_CUDACC INT16_C INT32_C INT64_C INT8_C INTMAX_C " +
    "MAJOR_VERSION MINOR_VERSION PATCH_LEVEL UINT16_C UINT32_C UINT64_C UINT8_C UINTMAX_C WEXITSTATUS " +
    "WIFCONTINUED WIFEXITED WIFSIGNALED WIFSTOPPED WSTOPSIG WTERMSIG a64l abort abs acos acosh aligned_alloc " +
    "alloca arc4random arc4random_buf arc4random_uniform asctime asctime_r asin asinh asprintf assert " +
    "assert_perror atan atan2 atanh atexit atof atoi atol bcmp bcopy be16toh be32toh be64toh blkcnt64_t blkcnt_t " +
    "blksize_t bsearch btowc bzero caddr_t calloc canonicalize canonicalize_file_name cbrt ceil char1 char2 char3 " +
    "char4 clearenv clearerr clearerr_unlocked clock clock64 clock_adjtime clock_getcpuclockid clock_getres " +
    "clock_gettime clock_nanosleep clock_settime clock_t clockid_t clone close comparison_fn_t " +
    "cookie_close_function_t cookie_io_functions_t cookie_read_function_t cookie_seek_function_t " +
    "cookie_write_function_t cooperative_groups copysign cos cosh cospi cpu_set_t ctermid ctime ctime_r cuda " +
    "cuserid cyl_bessel_i0 cyl_bessel_i1 daddl daddr_t daylight ddivl dev_t dfmal difftime dim3 div div_t dmull " +
    "double1 double2 double3 double4 double4_16a double4_32a double_t dprintf drand48 drand48_r drem dsqrtl dsubl " +
    "duplocale dysize ecvt ecvt_r erand48 erand48_r erf erfc erfcinv erfcx erfinv erfl error_t exit exp exp10 " +
    "exp2 explicit_bzero expm1 f32addf32x f32addf64 f32addf64x f32divf32x f32divf64 f32divf64x f32fmaf32x " +
    "f32fmaf64 f32fmaf64x f32mulf32x f32mulf64 f32mulf64x f32sqrtf32x f32sqrtf64 f32sqrtf64x f32subf32x f32subf64 " +
    "f32subf64x f32xaddf64 f32xaddf64x f32xdivf64 f32xdivf64x f32xfmaf64 f32xfmaf64x f32xmulf64 f32xmulf64x " +
    "f32xsqrtf64 f32xsqrtf64x f32xsubf64 f32xsubf64x f64addf64x f64divf64x f64fmaf64x f64mulf64x f64sqrtf64x " +
    "f64subf64x fabs fadd fclose fcloseall fcvt fcvt_r fd_mask fd_set fdim fdiv fdivide fdopen feof feof_unlocked " +
    "ferror ferror_unlocked fflush fflush_unlocked ffma ffs ffsll fgetc fgetc_unlocked fgetpos fgetpos64 fgets " +
    "fgets_unlocked fgetwc fgetwc_unlocked fgetws fgetws_unlocked fileno fileno_unlocked finite float1 float2 " +
    "float3 float4 float_t flockfile floor fma fmax fmaximum fmaximum_mag fmaximum_mag_num fmaximum_num fmaxmag " +
    "fmemopen fmin fminimum fminimum_mag fminimum_mag_num fminimum_num fminmag fmod fmul fopen fopen64 " +
    "fopencookie fpos64_t fpos_t fprintf fputc fputc_unlocked fputs fputs_unlocked fputwc fputwc_unlocked fputws " +
    "fputws_unlocked fread fread_unlocked free freelocale freopen freopen64 frexp fromfp fromfpx fsblkcnt64_t " +
    "fsblkcnt_t fscanf fseek fseeko fseeko64 fsetpos fsetpos64 fsfilcnt64_t fsfilcnt_t fsid_t fsqrt fsub ftell " +
    "ftello ftello64 ftrylockfile funlockfile fwide fwprintf fwrite fwrite_unlocked fwscanf gamma gcvt getc " +
    "getc_unlocked getchar getchar_unlocked getcpu getdate getdate_err getdate_r getdelim getenv getline " +
    "getloadavg getpayload getpt getsubopt getw getwc getwc_unlocked getwchar getwchar_unlocked gid_t gmtime " +
    "gmtime_r grantpt half half2 htobe16 htobe32 htobe64 htole16 htole32 htole64 hypot id_t ilogb initstate " +
    "initstate_r ino64_t ino_t int1 int16_t int2 int3 int32_t int4 int64_t int8_t int_fast16_t int_fast32_t " +
    "int_fast64_t int_fast8_t int_least16_t int_least32_t int_least64_t int_least8_t intmax_t intptr_t isalnum " +
    "isalnum_l isalpha isalpha_l isascii isascii_l isblank isblank_l iscntrl iscntrl_l isctype isdigit isdigit_l " +
    "isgraph isgraph_l isinff isinfl islower islower_l isnanf isnanl isprint isprint_l ispunct ispunct_l isspace " +
    "isspace_l issubnormal isupper isupper_l isxdigit isxdigit_l j0 j1 jn jrand48 jrand48_r key_t l64a labs " +
    "lcong48 lcong48_r ldexp ldiv ldiv_t le16toh le32toh le64toh lgamma lgamma_r lgammaf32_r lgammaf32x_r " +
    "lgammaf64_r lgammaf64x_r lgammaf_r lgammal_r libraryPropertyType llabs lldiv lldiv_t llmax llmin llogb " +
    "llrint llround locale_t localeconv localtime localtime_r loff_t log log10 log1p log2 logb long1 long2 long3 " +
    "long4 long4_16a long4_32a longlong1 longlong2 longlong3 longlong4 longlong4_16a longlong4_32a lrand48 " +
    "lrand48_r lrint lround malloc max max_align_t mblen mbrlen mbrtowc mbsinit mbsnrtowcs mbsrtowcs mbstate_t " +
    "mbstowcs mbtowc memccpy memcmp memcpy memfrob memmem memmove mempcpy memset min mkdtemp mkostemp mkostemp64 " +
    "mkostemps mkostemps64 mkstemp mkstemp64 mkstemps mkstemps64 mktemp mktime mode_t modf modfl mrand48 " +
    "mrand48_r nan nanosleep nearbyint newlocale nextafter nextdown nexttoward nextup nlink_t norm norm3d norm4d " +
    "normcdf normcdfinv nrand48 nrand48_r nullptr_t nv nv_bfloat16 nv_bfloat162 nv_half nv_half2 obstack_printf " +
    "obstack_vprintf off64_t off_t offsetof on_exit open_memstream open_wmemstream pclose perror pid_t popen " +
    "posix_memalign posix_openpt pow printf program_invocation_name program_invocation_short_name pselect " +
    "ptrdiff_t ptsname ptsname_r putc putc_unlocked putchar putchar_unlocked putenv puts putw putwc " +
    "putwc_unlocked putwchar putwchar_unlocked qecvt qecvt_r qfcvt qfcvt_r qgcvt qsort qsort_r quad_t quick_exit " +
    "rand rand_r random random_r rcbrt read realloc reallocarray realpath register_t remainder remove remquo " +
    "rename renameat renameat2 rewind rhypot rint rnorm rnorm3d rnorm4d round roundeven rpmatch rsqrt scalb " +
    "scalbln scalbn scanf sched_get_priority_max sched_get_priority_min sched_getaffinity sched_getcpu " +
    "sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setparam sched_setscheduler " +
    "sched_yield secure_getenv seed48 seed48_r select setbuf setbuffer setenv setlinebuf setlocale setns " +
    "setpayload setpayloadsig setstate setstate_r setvbuf short1 short2 short3 short4 sigabbrev_np sigdescr_np " +
    "signgam significand sigset_t sin sincos sincospi sinh sinpi size_t snprintf sprintf sqrt srand srand48 " +
    "srand48_r srandom srandom_r sscanf ssize_t std stpcpy stpncpy strcasecmp strcasecmp_l strcat strcmp strcoll " +
    "strcoll_l strcpy strcspn strdup strdupa strerror strerror_l strerror_r strerrordesc_np strerrorname_np " +
    "strfromd strfromf strfromf32 strfromf32x strfromf64 strfromf64x strfroml strfry strftime strftime_l strlen " +
    "strncasecmp strncasecmp_l strncat strncmp strncpy strndup strndupa strnlen strptime strptime_l strsep " +
    "strsignal strspn strtod strtod_l strtof strtof32 strtof32_l strtof32x strtof32x_l strtof64 strtof64_l " +
    "strtof64x strtof64x_l strtof_l strtok strtok_r strtol strtol_l strtold strtold_l strtoll_l strtoq strtoul " +
    "strtoul_l strtoull_l strtouq strverscmp strxfrm strxfrm_l suseconds_t swprintf swscanf sync system tan tanh " +
    "tempnam tgamma time time_t timegm timelocal timer_create timer_delete timer_getoverrun timer_gettime " +
    "timer_settime timer_t timespec_get timespec_getres timezone tmpfile tmpfile64 tmpnam tmpnam_r toascii " +
    "toascii_l tolower tolower_l totalorder totalordermag toupper toupper_l trunc tzname tzset u_char u_int " +
    "u_int16_t u_int32_t u_int64_t u_int8_t u_long u_quad_t u_short uchar1 uchar2 uchar3 uchar4 ufromfp ufromfpx " +
    "uid_t uint uint1 uint16_t uint2 uint3 uint32_t uint4 uint64_t uint8_t uint_fast16_t uint_fast32_t " +
    "uint_fast64_t uint_fast8_t uint_least16_t uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t " +
    "ullmax ullmin ulong ulong1 ulong2 ulong3 ulong4 ulong4_16a ulong4_32a ulonglong1 ulonglong2 ulonglong3 " +
    "ulonglong4 ulonglong4_16a ulonglong4_32a umax umin ungetc ungetwc unlockpt unsetenv unshare useconds_t " +
    "uselocale ushort ushort1 ushort2 ushort3 ushort4 va_list valloc vasprintf vdprintf vfprintf vfscanf " +
    "vfwprintf vfwscanf vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vswscanf vwprintf vwscanf wcpcpy " +
    "wcpncpy wcrtomb wcscasecmp wcscasecmp_l wcscat wcschrnul wcscmp wcscoll wcscoll_l wcscpy wcscspn wcsdup " +
    "wcsftime wcsftime_l wcslen wcsncasecmp wcsncasecmp_l wcsncat wcsncmp wcsncpy wcsnlen wcsnrtombs wcsrtombs " +
    "wcsspn wcstod wcstod_l wcstof wcstof32 wcstof32_l wcstof32x wcstof32x_l wcstof64 wcstof64_l wcstof64x " +
    "wcstof64x_l wcstof_l wcstok wcstol wcstol_l wcstold wcstold_l wcstoll_l wcstombs wcstoq wcstoul wcstoul_l " +
    "wcstoull_l wcstouq wcswidth wcsxfrm wcsxfrm_l wctob wctomb wcwidth wint_t wmemcmp wmemcpy wmemmove wmempcpy " +
    "wmemset wprintf write wscanf y0 y1 yn",
);

/** C has each function of floats in several widths. */
const WIDTHS = /^(\w+?)(?:f32x|f64x|f32|f64|fl|l|f)$/;

/** Whether a name needs another one: at global scope, as a kernel's, or within a function. */
export function isHeaderName(name: string, scope: "global" | "local"): boolean {
  if (MACROS.has(name) || FAMILY.test(name)) return true;
  return scope === "global" && (GLOBALS.has(name) || GLOBALS.has(WIDTHS.exec(name)?.[1] ?? ""));
}
