//! The words that cannot be names: what each language reserves, and what the
//! code written here uses itself.
//!
//! `int` cannot be a name in C, nor `lambda` in Python; `Some` could be one in Rust,
//! but the code would mean another `Some` by it. Words are listed by language,
//! families of them (`int4`, names that begin with two underscores) are rules.
//!
//! Cost: a search through a list of at most a few hundred words.

use alloc::format;
use alloc::string::String;

use super::Language;

/// Why a word cannot be a name in a language, if it cannot.
pub(super) fn refusal(language: Language, name: &str) -> Option<String> {
    let words = Words::of(language);
    if words.is_reserved(name) {
        return Some(format!("{language} reserves this word, take another name"));
    }
    let used = words.used.contains(&name);
    used.then(|| format!("the code itself uses this word in {language}, take another name"))
}

/// Why a word that may name an axis cannot name a function, if it cannot.
pub(super) fn refusal_of_function(language: Language, name: &str) -> Option<String> {
    let taken = Words::of(language).functions.contains(&name);
    taken.then(|| format!("{language} has a function of this name, take another name"))
}

/// The words of a language.
struct Words {
    /// Lists of words separated by white space.
    reserved: &'static [&'static str],
    rule: fn(&str) -> bool,
    /// What the code uses.
    used: &'static [&'static str],
    /// What a function cannot be called, although an axis can.
    functions: &'static [&'static str],
}

impl Words {
    const NONE: Words = Words { reserved: &[], rule: |_| false, used: &[], functions: &[] };

    fn of(language: Language) -> Words {
        match language {
            Language::C => Words {
                reserved: &[C99, C23, C_TYPES],
                rule: is_for_compilers,
                functions: &["main"],
                ..Words::NONE
            },
            Language::Cuda => Words {
                reserved: &[C99, CPP, C_TYPES, CUDA],
                rule: is_for_compilers,
                used: &[],
                functions: &["main", "std"],
            },
            Language::OpenCl => Words {
                reserved: &[C99, OPENCL],
                rule: |name| {
                    // as_int4 reads bits as another type.
                    let read = name.strip_prefix("as_");
                    is_for_compilers(name)
                        || read.is_some_and(|of| has(SCALARS, of))
                        || is_vector(read.unwrap_or(name), SCALARS, &["2", "3", "4", "8", "16"])
                },
                used: &[],
                functions: &["main"],
            },
            Language::Metal => Words {
                reserved: &[C99, CPP, C_TYPES, METAL],
                rule: |name| {
                    let unpacked = name.strip_prefix("packed_").unwrap_or(name);
                    is_for_compilers(name)
                        || is_vector(unpacked, SCALARS, &["2", "3", "4"])
                        || is_matrix(name, SCALARS, &["2", "3", "4"])
                },
                used: &[],
                functions: &["main", "std"],
            },
            Language::Hlsl => Words {
                reserved: &[C99, CPP, HLSL],
                rule: |name| {
                    let sizes = &["1", "2", "3", "4"];
                    is_for_compilers(name)
                        || is_vector(name, HLSL_SCALARS, sizes)
                        || is_matrix(name, HLSL_SCALARS, sizes)
                },
                used: &[],
                functions: &[],
            },
            Language::Wgsl => Words {
                reserved: &[WGSL],
                rule: |name| name == "_" || name.starts_with("__"),
                used: &["bool", "function", "i32", "ptr"],
                functions: &[],
            },
            Language::Rust => Words {
                reserved: &[RUST],
                rule: |name| name == "_",
                used: &["None", "Some"],
                functions: &["main"],
            },
            Language::Python => Words { reserved: &[PYTHON], used: &["int"], ..Words::NONE },
            Language::Triton => {
                Words { reserved: &[PYTHON], used: &["tl", "triton"], ..Words::NONE }
            }
            Language::Tinygrad => Words { reserved: &[PYTHON], ..Words::NONE },
            Language::Mlir => Words { reserved: &[MLIR], ..Words::NONE },
            // In capital letters as well.
            Language::Isl => {
                Words { rule: |name| has(ISL, &name.to_ascii_lowercase()), ..Words::NONE }
            }
            Language::Latex => Words::NONE,
        }
    }

    fn is_reserved(&self, name: &str) -> bool {
        (self.rule)(name) || self.reserved.iter().any(|list| has(list, name))
    }
}

fn has(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|word| word == name)
}

/// `__x` and `_X` belong to the compilers of C and its relatives.
fn is_for_compilers(name: &str) -> bool {
    let rest = name.strip_prefix('_').unwrap_or("");
    rest.starts_with(|letter: char| letter == '_' || letter.is_ascii_uppercase())
}

/// A type such as `int4`.
fn is_vector(name: &str, scalars: &str, sizes: &[&str]) -> bool {
    scalars
        .split_ascii_whitespace()
        .any(|scalar| name.strip_prefix(scalar).is_some_and(|rest| sizes.contains(&rest)))
}

/// A type such as `float4x3`.
fn is_matrix(name: &str, scalars: &str, sizes: &[&str]) -> bool {
    let Some((vector, size)) = name.rsplit_once('x') else { return false };
    sizes.contains(&size) && is_vector(vector, scalars, sizes)
}

/// C99, and names that compilers define as macros.
const C99: &str = "
    asm auto break case char const continue default do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while
    bool false true typeof NULL linux unix";

/// What C23 adds.
const C23: &str = "
    alignas alignof constexpr nullptr static_assert thread_local typeof_unqual";

/// The types of `<stdint.h>` and `<stddef.h>`.
const C_TYPES: &str = "
    int16_t int32_t int64_t int8_t int_fast16_t int_fast32_t int_fast64_t int_fast8_t int_least16_t
    int_least32_t int_least64_t int_least8_t intmax_t intptr_t max_align_t ptrdiff_t size_t uint16_t
    uint32_t uint64_t uint8_t uint_fast16_t uint_fast32_t uint_fast64_t uint_fast8_t uint_least16_t
    uint_least32_t uint_least64_t uint_least8_t uintmax_t uintptr_t wchar_t";

/// What C++ adds, up to C++26.
const CPP: &str = "
    alignas alignof and and_eq bitand bitor catch char16_t char32_t char8_t class co_await co_return
    co_yield compl concept const_cast consteval constexpr constinit contract_assert decltype delete
    dynamic_cast explicit export friend mutable namespace new noexcept not not_eq nullptr operator
    or or_eq private protected public reinterpret_cast requires static_assert static_cast template
    this thread_local throw try typeid typename using virtual wchar_t xor xor_eq";

/// The variables that CUDA defines; its other words begin with two underscores.
const CUDA: &str = "blockDim blockIdx gridDim threadIdx warpSize";

/// The scalar types that vectors are named after in OpenCL and Metal.
const SCALARS: &str = "
    bfloat bool char double float half int long quad short uchar uint ulong ushort";

/// What OpenCL C adds.
const OPENCL: &str = "
    atomic_double atomic_flag atomic_float atomic_int atomic_long atomic_uint atomic_ulong
    clk_event_t complex constant event_t generic global half image1d_array_t image1d_buffer_t
    image1d_t image2d_array_depth_t image2d_array_msaa_depth_t image2d_array_msaa_t image2d_array_t
    image2d_depth_t image2d_msaa_depth_t image2d_msaa_t image2d_t image3d_t imaginary intptr_t kernel
    local ndrange_t pipe private ptrdiff_t quad queue_t read_only read_write reserve_id_t sampler_t
    size_t uchar uint uintptr_t ulong uniform ushort vec_step write_only";

/// What Metal adds to C++.
const METAL: &str = "
    as_type assert atomic atomic_bool atomic_float atomic_int atomic_uint atomic_ulong bfloat complex
    constant device fragment half imaginary intersection kernel llong matrix mesh metal object
    object_data packed_vec quad ray_data thread threadgroup threadgroup_imageblock uchar uint ullong
    ulong ushort vec vertex visible";

/// The scalar types that vectors and matrices are named after in HLSL.
const HLSL_SCALARS: &str = "
    bool double dword float float16_t float32_t float64_t half int int16_t int32_t int64_t min10float
    min12int min16float min16int min16uint uint uint16_t uint32_t uint64_t";

/// What HLSL adds to C++.
const HLSL: &str = "
    AppendStructuredBuffer BlendState Buffer ByteAddressBuffer CompileShader ComputeShader
    ConstantBuffer ConsumeStructuredBuffer DepthStencilState DepthStencilView DomainShader
    GeometryShader Hullshader InputPatch LineStream OutputPatch PixelShader PointStream RWBuffer
    RWByteAddressBuffer RWStructuredBuffer RWTexture1D RWTexture1DArray RWTexture2D RWTexture2DArray
    RWTexture3D RasterizerState RayDesc RayQuery RaytracingAccelerationStructure RenderTargetView
    SamplerComparisonState SamplerState StructuredBuffer Technique Texture1D Texture1DArray Texture2D
    Texture2DArray Texture2DMS Texture2DMSArray Texture3D TextureBuffer TextureCube TextureCubeArray
    TriangleStream VertexShader
    asm_fragment cbuffer center centroid column_major compile compile_fragment discard dword
    float16_t float32_t float64_t fxgroup globallycoherent groupshared half in indices inout int16_t
    int32_t int64_t int8_t4_packed interface line lineadj linear matrix min10float min12int min16float
    min16int min16uint nointerpolation noperspective out packoffset pass payload pixelfragment point
    precise primitives row_major sample sampler sampler_state shared snorm stateblock
    stateblock_state string tbuffer technique technique10 technique11 texture triangle triangleadj
    uint uint16_t uint32_t uint64_t uint8_t4_packed uniform unorm vector vertexfragment vertices";

/// WGSL: keywords, then words kept for later.
const WGSL: &str = "
    alias break case const const_assert continue continuing default diagnostic discard else enable
    false fn for if let loop override requires return struct switch true var while
    NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become
    cast catch class co_await co_return co_yield coherent column_major common compile
    compile_fragment concept const_cast consteval constexpr constinit crate debugger decltype delete
    demote demote_to_helper do dynamic_cast enum explicit export extends extern external fallthrough
    filter final finally friend from fxgroup get goto groupshared highp impl implements import inline
    instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut mutable
    namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null
    nullptr of operator package packoffset partition pass patch pixelfragment precise precision
    premerge priv protected pub public readonly ref regardless register reinterpret_cast require
    resource restrict self set shared sizeof smooth snorm static static_assert static_cast std
    subroutine super target template this thread_local throw trait try type typedef typeid typename
    typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with
    writeonly yield";

/// Rust, up to edition 2024.
const RUST: &str = "
    Self abstract as async await become box break const continue crate do dyn else enum extern false
    final fn for gen if impl in let loop macro match mod move mut override priv pub ref return self
    static struct super trait true try type typeof unsafe unsized use virtual where while yield";

/// Python 3.
const PYTHON: &str = "
    False None True and as assert async await break class continue def del elif else except finally
    for from global if import in is lambda nonlocal not or pass raise return try while with yield";

/// What stands for something else in an affine expression of MLIR.
const MLIR: &str = "ceildiv floordiv mod symbol";

/// isl.
const ISL: &str = "
    and ceil ceild exists false floor floord implies infinity infty max min mod nan not or rat true";
