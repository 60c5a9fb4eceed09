//! The table of matrix instructions: names, sizes, and the layouts of the operands.
//!
//! A layout is empty if no thread holds the operand. `N` stands for the number of columns of C.

/// A group of similar instructions.
#[derive(Debug)]
pub(super) struct Family {
    pub name: &'static str,
    pub kind: Kind,
    pub threads: i64,
    pub note: Option<&'static str>,
    pub source: &'static str,
    pub rows: &'static [Row],
}

#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    /// C += A·B.
    Product,
    /// A matrix copy; its sizes are rows and columns, and the third is ignored.
    Copy,
}

/// Instructions with the same layouts.
#[derive(Debug)]
pub(super) struct Row {
    /// The names, with choices in braces.
    pub names: &'static str,
    /// M, N and K.
    pub shape: [i64; 3],
    /// The values that N may take, if it is variable.
    pub columns: &'static [i64],
    /// How many products are computed at once; their rows are stacked.
    pub blocks: i64,
    /// Of A, B and C; for a copy, of the source and the destination.
    pub layouts: [&'static str; 3],
}

const fn row(names: &'static str, shape: [i64; 3], layouts: [&'static str; 3]) -> Row {
    Row { names, shape, columns: &[], blocks: 1, layouts }
}

impl Row {
    const fn of_n(self, columns: &'static [i64]) -> Row {
        Row { columns, ..self }
    }

    const fn of_blocks(self, blocks: i64) -> Row {
        Row { blocks, ..self }
    }
}

/// The multiples of 8 up to 256.
const EIGHTS: [i64; 32] = {
    let mut all = [0; 32];
    let mut at = 0;
    while at < 32 {
        all[at] = 8 * (at as i64 + 1);
        at += 1;
    }
    all
};
/// The multiples of 16 up to 256.
const SIXTEENTHS: [i64; 16] = {
    let mut all = [0; 16];
    let mut at = 0;
    while at < 16 {
        all[at] = 16 * (at as i64 + 1);
        at += 1;
    }
    all
};
/// The values of N for 8-bit integers.
const OF_BYTES: [i64; 18] =
    [8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256];

/// The tiles of `mma.sync`: rows and columns; elements in one register are adjacent.
const R8X4: &str = "((4,8),1):((8,1),0)";
const R8X8: &str = "((4,8),2):((16,1),8)";
const R8X8_SINGLE: &str = "((4,8),2):((8,1),32)";
const R8X16: &str = "((4,8),4):((32,1),8)";
const R8X16_PAIRS: &str = "((4,8),(2,2)):((16,1),(8,64))";
const R8X16_SINGLE: &str = "((4,8),4):((8,1),32)";
const R8X32: &str = "((4,8),(4,2)):((32,1),(8,128))";
const R8X32_EIGHTS: &str = "((4,8),8):((64,1),8)";
const R8X64_EIGHTS: &str = "((4,8),(8,2)):((64,1),(8,256))";
const R8X128_BITS: &str = "((4,8),32):((256,1),8)";
const R8X256_BITS: &str = "((4,8),(32,2)):((256,1),(8,1024))";
const R16X4: &str = "((4,8),2):((16,1),8)";
const R16X8: &str = "((4,8),(2,2)):((32,1),(16,8))";
const R16X8_SINGLE: &str = "((4,8),(2,2)):((16,1),(8,64))";
const R16X16: &str = "((4,8),(2,2,2)):((32,1),(16,8,128))";
const R16X16_SINGLE: &str = "((4,8),(2,4)):((16,1),(8,64))";
const R16X16_FOURS: &str = "((4,8),(4,2)):((64,1),(16,8))";
const R16X32: &str = "((4,8),(4,2,2)):((64,1),(16,8,256))";
const R16X32_EIGHTS: &str = "((4,8),(8,2)):((128,1),(16,8))";
const R16X64_EIGHTS: &str = "((4,8),(8,2,2)):((128,1),(16,8,512))";
const R16X128_BITS: &str = "((4,8),(32,2)):((512,1),(16,8))";
const R16X256_BITS: &str = "((4,8),(32,2,2)):((512,1),(16,8,2048))";

/// The accumulator of a warpgroup.
const R64XN: &str = "((4,8,4),(2,2,N/8)):((128,1,16),(64,8,512))";

/// The accumulators of matrix cores with 64 lanes: 32 by 32 and 16 by 16.
const M32X32: &str = "((32,2),(4,4)):((32,4),(1,8))";
const M16X16: &str = "((16,4),4):((16,4),1)";

const AMD_NOTE: &str = "a row of A and a column of B to a lane, K in runs over groups of lanes";

// One line for each row, so that it reads as a table.
#[rustfmt::skip]
pub(super) const FAMILIES: &[Family] = &[
    Family {
        name: "NVIDIA Pascal (SM61)",
        kind: Kind::Product,
        threads: 1,
        note: Some("a dot product of one thread: dp4a, dp2a"),
        source: "CUTLASS, include/cute/atom/mma_traits_sm61.hpp",
        rows: &[
            row("SM61_DP4A_1x1x4_S32S8S8S32", [1, 1, 4], ["(1,4):(0,1)", "(1,4):(0,1)", "(1,1):(0,0)"]),
            row("SM61_DP2A_1x1x2_S32S16S16S32", [1, 1, 2], ["(1,2):(0,1)", "(1,2):(0,1)", "(1,1):(0,0)"]),
        ],
    },
    Family {
        name: "NVIDIA Volta (SM70)",
        kind: Kind::Product,
        threads: 8,
        note: Some("thread t is the lane (4,2):(1,16) of t in its quad pair"),
        source: "CUTLASS, include/cute/atom/mma_traits_sm70.hpp; PTX ISA, mma.sync m8n8k4",
        rows: &[
            row("SM70_8x8x4_F16F16F16F16_TN", [8, 8, 4], ["(8,4):(1,8)", "(8,4):(1,8)", "(8,8):(1,8)"]),
            row("SM70_8x8x4_F16F16F16F16_NT", [8, 8, 4], ["((4,2),4):((8,4),1)", "((4,2),4):((8,4),1)", "(8,8):(1,8)"]),
            row("SM70_8x8x4_F16F16F16F16_NN", [8, 8, 4], ["((4,2),4):((8,4),1)", "(8,4):(1,8)", "(8,8):(1,8)"]),
            row("SM70_8x8x4_F16F16F16F16_TT", [8, 8, 4], ["(8,4):(1,8)", "((4,2),4):((8,4),1)", "(8,8):(1,8)"]),
            row("SM70_8x8x4_F32F16F16F32_TN", [8, 8, 4], ["(8,4):(1,8)", "(8,4):(1,8)", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"]),
            row("SM70_8x8x4_F32F16F16F32_NT", [8, 8, 4], ["((4,2),4):((8,4),1)", "((4,2),4):((8,4),1)", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"]),
            row("SM70_8x8x4_F32F16F16F32_NN", [8, 8, 4], ["((4,2),4):((8,4),1)", "(8,4):(1,8)", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"]),
            row("SM70_8x8x4_F32F16F16F32_TT", [8, 8, 4], ["(8,4):(1,8)", "((4,2),4):((8,4),1)", "((2,2,2),(2,2,2)):((1,16,4),(8,2,32))"]),
        ],
    },
    Family {
        name: "NVIDIA Turing (SM75)",
        kind: Kind::Product,
        threads: 32,
        note: None,
        source: "CUTLASS, include/cute/atom/mma_traits_sm75.hpp; PTX ISA, mma.sync",
        rows: &[
            row("SM75_16x8x8_F32F16F16F32_TN", [16, 8, 8], [R16X8, R8X8, R16X8]),
            row("SM75_8x8x16_S32S8S8S32_TN", [8, 8, 16], [R8X16, R8X16, R8X8]),
        ],
    },
    Family {
        name: "NVIDIA Ampere (SM80)",
        kind: Kind::Product,
        threads: 32,
        note: None,
        source: "CUTLASS, include/cute/atom/mma_traits_sm80.hpp; PTX ISA, mma.sync",
        rows: &[
            row("SM80_16x8x8_{F16F16F16F16,F32F16F16F32,F32BF16BF16F32}_TN", [16, 8, 8], [R16X8, R8X8, R16X8]),
            row("SM80_16x8x16_{F16F16F16F16,F32F16F16F32,F32BF16BF16F32}_TN", [16, 8, 16], [R16X16, R8X16_PAIRS, R16X8]),
            row("SM80_16x8x4_F32TF32TF32F32_TN", [16, 8, 4], [R16X4, R8X4, R16X8]),
            row("SM80_16x8x8_F32TF32TF32F32_TN", [16, 8, 8], [R16X8_SINGLE, R8X8_SINGLE, R16X8]),
            row("SM80_8x8x4_{F64F64F64F64,C64C64C64C64,GC64C64C64GC64}_TN", [8, 8, 4], [R8X4, R8X4, R8X8]),
            row("SM80_8x8x16_S32{S8,U8}{S8,U8}S32_TN{,_SATURATE}", [8, 8, 16], [R8X16, R8X16, R8X8]),
            row("SM80_16x8x16_S32{S8,U8}{S8,U8}S32_TN{,_SATURATE}", [16, 8, 16], [R16X16_FOURS, R8X16, R16X8]),
            row("SM80_16x8x32_S32{S8,U8}{S8,U8}S32_TN{,_SATURATE}", [16, 8, 32], [R16X32, R8X32, R16X8]),
            row("SM80_8x8x32_S32{S4,U4}{S4,U4}S32_TN{,_SATURATE}", [8, 8, 32], [R8X32_EIGHTS, R8X32_EIGHTS, R8X8]),
            row("SM80_16x8x32_S32{S4,U4}{S4,U4}S32_TN{,_SATURATE}", [16, 8, 32], [R16X32_EIGHTS, R8X32_EIGHTS, R16X8]),
            row("SM80_16x8x64_S32{S4,U4}{S4,U4}S32_TN{,_SATURATE}", [16, 8, 64], [R16X64_EIGHTS, R8X64_EIGHTS, R16X8]),
            row("SM80_8x8x128_S32U1U1S32_TN_{XOR,AND}POPC", [8, 8, 128], [R8X128_BITS, R8X128_BITS, R8X8]),
            row("SM80_16x8x128_S32U1U1S32_TN_{XOR,AND}POPC", [16, 8, 128], [R16X128_BITS, R8X128_BITS, R16X8]),
            row("SM80_16x8x256_S32U1U1S32_TN_{XOR,AND}POPC", [16, 8, 256], [R16X256_BITS, R8X256_BITS, R16X8]),
        ],
    },
    Family {
        name: "NVIDIA Ada (SM89)",
        kind: Kind::Product,
        threads: 32,
        note: None,
        source: "CUTLASS, include/cute/atom/mma_traits_sm89.hpp; PTX ISA, mma.sync",
        rows: &[
            row("SM89_16x8x32_F32{E4M3,E5M2}{E4M3,E5M2}F32_TN", [16, 8, 32], [R16X32, R8X32, R16X8]),
            row("SM89_16x8x32_F16{E4M3,E5M2}{E4M3,E5M2}F16_TN", [16, 8, 32], [R16X32, R8X32, R16X8]),
            row("SM89_16x8x16_F32{E4M3,E5M2}{E4M3,E5M2}F32_TN", [16, 8, 16], [R16X16_FOURS, R8X16, R16X8]),
            row("SM89_16x8x16_F16{E4M3,E5M2}{E4M3,E5M2}F16_TN", [16, 8, 16], [R16X16_FOURS, R8X16, R16X8]),
        ],
    },
    Family {
        name: "NVIDIA Hopper (SM90), mma",
        kind: Kind::Product,
        threads: 32,
        note: None,
        source: "CUTLASS, include/cute/atom/mma_traits_sm90.hpp; PTX ISA, mma.sync",
        rows: &[
            row("SM90_16x8x4_{F64F64F64F64,C64C64C64C64}_TN", [16, 8, 4], [R16X4, R8X4, R16X8]),
            row("SM90_16x8x8_{F64F64F64F64,C64C64C64C64}_TN", [16, 8, 8], [R16X8_SINGLE, R8X8_SINGLE, R16X8]),
            row("SM90_16x8x16_{F64F64F64F64,C64C64C64C64}_TN", [16, 8, 16], [R16X16_SINGLE, R8X16_SINGLE, R16X8]),
        ],
    },
    Family {
        name: "NVIDIA Hopper (SM90), wgmma",
        kind: Kind::Product,
        threads: 128,
        note: Some("what no thread holds is in shared memory"),
        source: "CUTLASS, include/cute/atom/mma_traits_sm90_gmma.hpp; PTX ISA, wgmma.mma_async",
        rows: &[
            row("SM90_64xNx16_{F16F16F16,F32F16F16,F32BF16BF16}_RS", [64, 0, 16], ["((4,8,4),(2,2,2)):((128,1,16),(64,8,512))", "", R64XN]).of_n(&EIGHTS),
            row("SM90_64xNx16_{F16F16F16,F32F16F16,F32BF16BF16}_SS", [64, 0, 16], ["", "", R64XN]).of_n(&EIGHTS),
            row("SM90_64xNx8_F32TF32TF32_RS", [64, 0, 8], ["((4,8,4),(2,2)):((64,1,16),(8,256))", "", R64XN]).of_n(&EIGHTS),
            row("SM90_64xNx8_F32TF32TF32_SS", [64, 0, 8], ["", "", R64XN]).of_n(&EIGHTS),
            row("SM90_64xNx32_{F16,F32}{E4M3,E5M2}{E4M3,E5M2}_RS", [64, 0, 32], ["((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))", "", R64XN]).of_n(&EIGHTS),
            row("SM90_64xNx32_{F16,F32}{E4M3,E5M2}{E4M3,E5M2}_SS", [64, 0, 32], ["", "", R64XN]).of_n(&EIGHTS),
            row("SM90_64xNx32_S32{S8,U8}{S8,U8}_RS{,_SATURATE}", [64, 0, 32], ["((4,8,4),(4,2,2)):((256,1,16),(64,8,1024))", "", R64XN]).of_n(&OF_BYTES),
            row("SM90_64xNx32_S32{S8,U8}{S8,U8}_SS{,_SATURATE}", [64, 0, 32], ["", "", R64XN]).of_n(&OF_BYTES),
        ],
    },
    Family {
        name: "NVIDIA Hopper (SM90), sparse wgmma",
        kind: Kind::Product,
        threads: 128,
        note: Some("A is sparse, two of four; A and B are in shared memory"),
        source: "CUTLASS, include/cute/atom/mma_traits_sm90_gmma_sparse.hpp; PTX ISA, wgmma.mma_async.sp",
        rows: &[
            row("SM90_SPARSE_64xNx32_{F16F16F16,F32F16F16,F32BF16BF16}_SS", [64, 0, 32], ["", "", R64XN]).of_n(&EIGHTS),
            row("SM90_SPARSE_64xNx16_F32TF32TF32_SS", [64, 0, 16], ["", "", R64XN]).of_n(&EIGHTS),
            row("SM90_SPARSE_64xNx64_{F16,F32}{E4M3,E5M2}{E4M3,E5M2}_SS", [64, 0, 64], ["", "", R64XN]).of_n(&EIGHTS),
            row("SM90_SPARSE_64xNx64_S32{S8,U8}{S8,U8}_SS{,_SATURATE}", [64, 0, 64], ["", "", R64XN]).of_n(&OF_BYTES),
        ],
    },
    Family {
        name: "NVIDIA Blackwell (SM100), tcgen05",
        kind: Kind::Product,
        threads: 1,
        note: Some("one thread issues it; A and B are in shared memory, C is in tensor memory"),
        source: "CUTLASS, include/cute/atom/mma_traits_sm100.hpp; PTX ISA, tcgen05.mma",
        rows: &[
            row("SM100_64xNx16_{F16F16F16,F32F16F16,F16BF16BF16,F32BF16BF16}_SS", [64, 0, 16], ["", "", "(1,(64,N)):(0,(1,64))"]).of_n(&EIGHTS),
            row("SM100_128xNx16_{F16F16F16,F32F16F16,F16BF16BF16,F32BF16BF16}_SS", [128, 0, 16], ["", "", "(1,(128,N)):(0,(1,128))"]).of_n(&SIXTEENTHS),
            row("SM100_64xNx8_F32TF32TF32_SS", [64, 0, 8], ["", "", "(1,(64,N)):(0,(1,64))"]).of_n(&EIGHTS),
            row("SM100_128xNx8_F32TF32TF32_SS", [128, 0, 8], ["", "", "(1,(128,N)):(0,(1,128))"]).of_n(&SIXTEENTHS),
        ],
    },
    Family {
        name: "NVIDIA Blackwell (SM120)",
        kind: Kind::Product,
        threads: 32,
        note: Some("elements narrower than a byte are spread over bytes where K is 32"),
        source: "CUTLASS, include/cute/atom/mma_traits_sm120.hpp and mma_traits_sm120_sparse.hpp",
        rows: &[
            row("SM120_16x8x32_F32{E4M3,E5M2,E3M2,E2M3,E2M1}{E4M3,E5M2,E3M2,E2M3,E2M1}F32_TN{,_VS32}", [16, 8, 32], [R16X32, R8X32, R16X8]),
            row("SM120_16x8x32_F16{E4M3,E5M2,E3M2,E2M3,E2M1}{E4M3,E5M2,E3M2,E2M3,E2M1}F16_TN", [16, 8, 32], [R16X32, R8X32, R16X8]),
            row("SM120_16x8x64_F32E2M1E2M1F32_TN_{VS16,VS32}", [16, 8, 64], [R16X64_EIGHTS, R8X64_EIGHTS, R16X8]),
            row("SM120_SPARSE_16x8x64_F32{E4M3,E5M2,E3M2,E2M3,E2M1}{E4M3,E5M2,E3M2,E2M3,E2M1}F32_TN{,_VS32}", [16, 8, 64], [R16X64_EIGHTS, "((4,8),(4,4)):((32,1),(8,128))", R16X8]),
            row("SM120_SPARSE_16x8x64_F16{E4M3,E5M2,E3M2,E2M3,E2M1}{E4M3,E5M2,E3M2,E2M3,E2M1}F16_TN", [16, 8, 64], [R16X64_EIGHTS, "((4,8),(4,4)):((32,1),(8,128))", R16X8]),
            row("SM120_SPARSE_16x8x128_F32E2M1E2M1F32_TN_{VS16,VS32}", [16, 8, 128], ["((4,8),(16,2,2)):((256,1),(16,8,1024))", "((4,8),(8,4)):((64,1),(8,256))", R16X8]),
        ],
    },
    Family {
        name: "NVIDIA, copies of matrices",
        kind: Kind::Copy,
        threads: 32,
        note: Some(
            "8 by 8 matrices of 16-bit elements below one another; the source of an ldmatrix and the destination of an stmatrix are rows in shared memory, to which the threads point",
        ),
        source: "CUTLASS, include/cute/atom/copy_traits_sm75.hpp and copy_traits_sm90.hpp; PTX ISA, ldmatrix and stmatrix",
        rows: &[
            row("SM75_U32x1_LDSM_N", [8, 8, 0], ["((8,4),8):((1,0),8)", "((4,8),2):((16,1),8)", ""]),
            row("SM75_U32x2_LDSM_N", [16, 8, 0], ["((16,2),8):((1,0),16)", "((4,8),(2,2)):((32,1),(16,8))", ""]),
            row("SM75_U32x4_LDSM_N", [32, 8, 0], ["(32,8):(1,32)", "((4,8),(2,4)):((64,1),(32,8))", ""]),
            row("SM75_U16x2_LDSM_T", [8, 8, 0], ["((8,4),8):((1,0),8)", "((4,8),2):((2,8),1)", ""]),
            row("SM75_U16x4_LDSM_T", [16, 8, 0], ["((16,2),8):((1,0),16)", "((4,8),(2,2)):((2,16),(1,8))", ""]),
            row("SM75_U16x8_LDSM_T", [32, 8, 0], ["(32,8):(1,32)", "((4,8),(2,4)):((2,32),(1,8))", ""]),
            row("SM90_U32x1_STSM_N", [8, 8, 0], ["((4,8),2):((16,1),8)", "((8,4),8):((1,0),8)", ""]),
            row("SM90_U32x2_STSM_N", [16, 8, 0], ["((4,8),(2,2)):((32,1),(16,8))", "((16,2),8):((1,0),16)", ""]),
            row("SM90_U32x4_STSM_N", [32, 8, 0], ["((4,8),(2,4)):((64,1),(32,8))", "(32,8):(1,32)", ""]),
            row("SM90_U16x2_STSM_T", [8, 8, 0], ["((4,8),2):((2,8),1)", "((8,4),8):((1,0),8)", ""]),
            row("SM90_U16x4_STSM_T", [16, 8, 0], ["((4,8),(2,2)):((2,16),(1,8))", "((16,2),8):((1,0),16)", ""]),
            row("SM90_U16x8_STSM_T", [32, 8, 0], ["((4,8),(2,4)):((2,32),(1,8))", "(32,8):(1,32)", ""]),
        ],
    },
    Family {
        name: "NVIDIA, shuffles",
        kind: Kind::Copy,
        threads: 32,
        note: Some("two 32-bit values of every thread"),
        source: "CUTLASS, include/cute/atom/copy_traits_sm50.hpp",
        rows: &[
            row("SM50_Shuffle_U32_2x2Trans_XOR1", [2, 32, 0], ["(32,2):(2,1)", "((2,16),2):((1,4),2)", ""]),
            row("SM50_Shuffle_U32_2x2Trans_XOR4", [2, 32, 0], ["(32,2):(2,1)", "((4,2,4),2):((2,1,16),8)", ""]),
        ],
    },
    Family {
        name: "NVIDIA, copies of one thread",
        kind: Kind::Copy,
        threads: 1,
        note: Some("bytes side by side"),
        source: "CUTLASS, include/cute/atom/copy_traits.hpp and copy_traits_sm80.hpp",
        rows: &[
            row("{UniversalCopy_8b,AutoVectorizingCopy_8b}", [1, 1, 0], ["(1,1):(0,1)", "(1,1):(0,1)", ""]),
            row("{UniversalCopy_16b,AutoVectorizingCopy_16b}", [1, 2, 0], ["(1,2):(0,1)", "(1,2):(0,1)", ""]),
            row("{UniversalCopy_32b,AutoVectorizingCopy_32b,SM80_CP_ASYNC_CACHEALWAYS_4B}", [1, 4, 0], ["(1,4):(0,1)", "(1,4):(0,1)", ""]),
            row("{UniversalCopy_64b,AutoVectorizingCopy_64b,SM80_CP_ASYNC_CACHEALWAYS_8B}", [1, 8, 0], ["(1,8):(0,1)", "(1,8):(0,1)", ""]),
            row("{UniversalCopy_128b,AutoVectorizingCopy_128b,SM80_CP_ASYNC_CACHEALWAYS_16B,SM80_CP_ASYNC_CACHEGLOBAL_16B}", [1, 16, 0], ["(1,16):(0,1)", "(1,16):(0,1)", ""]),
        ],
    },
    Family {
        name: "AMD CDNA, mfma",
        kind: Kind::Product,
        threads: 64,
        note: Some(AMD_NOTE),
        source: "AMD Instinct instruction set manuals; AMD lab notes on matrix cores; the matrix instruction calculator",
        rows: &[
            row("v_mfma_f32_32x32x2_f32", [32, 32, 2], ["((32,2),1):((1,32),0)", "((32,2),1):((1,32),0)", M32X32]),
            row("v_mfma_f32_16x16x4_f32", [16, 16, 4], ["((16,4),1):((1,16),0)", "((16,4),1):((1,16),0)", M16X16]),
            row("v_mfma_f32_32x32x8_{f16,bf16_1k}", [32, 32, 8], ["((32,2),4):((1,128),32)", "((32,2),4):((1,128),32)", M32X32]),
            row("v_mfma_f32_16x16x16_{f16,bf16_1k}", [16, 16, 16], ["((16,4),4):((1,64),16)", "((16,4),4):((1,64),16)", M16X16]),
            row("v_mfma_f32_32x32x4_{bf16,xf32}", [32, 32, 4], ["((32,2),2):((1,64),32)", "((32,2),2):((1,64),32)", M32X32]),
            row("v_mfma_f32_16x16x8_{bf16,xf32}", [16, 16, 8], ["((16,4),2):((1,32),16)", "((16,4),2):((1,32),16)", M16X16]),
            row("v_mfma_i32_32x32x8_i8", [32, 32, 8], ["((32,2),4):((1,128),32)", "((32,2),4):((1,128),32)", M32X32]),
            row("v_mfma_i32_16x16x16_i8", [16, 16, 16], ["((16,4),4):((1,64),16)", "((16,4),4):((1,64),16)", M16X16]),
            row("{v_mfma_i32_32x32x16_i8,v_mfma_f32_32x32x16_fp8_fp8,v_mfma_f32_32x32x16_fp8_bf8,v_mfma_f32_32x32x16_bf8_fp8,v_mfma_f32_32x32x16_bf8_bf8,v_mfma_f32_32x32x16_f16,v_mfma_f32_32x32x16_bf16}", [32, 32, 16], ["((32,2),8):((1,256),32)", "((32,2),8):((1,256),32)", M32X32]),
            row("{v_mfma_i32_16x16x32_i8,v_mfma_f32_16x16x32_fp8_fp8,v_mfma_f32_16x16x32_fp8_bf8,v_mfma_f32_16x16x32_bf8_fp8,v_mfma_f32_16x16x32_bf8_bf8,v_mfma_f32_16x16x32_f16,v_mfma_f32_16x16x32_bf16}", [16, 16, 32], ["((16,4),8):((1,128),16)", "((16,4),8):((1,128),16)", M16X16]),
            row("v_mfma_i32_32x32x32_i8", [32, 32, 32], ["((32,2),16):((1,512),32)", "((32,2),16):((1,512),32)", M32X32]),
            row("v_mfma_i32_16x16x64_i8", [16, 16, 64], ["((16,4),16):((1,256),16)", "((16,4),16):((1,256),16)", M16X16]),
            row("v_mfma_f64_16x16x4_f64", [16, 16, 4], ["((16,4),1):((1,16),0)", "((16,4),1):((1,16),0)", "((16,4),4):((16,1),4)"]),
            row("v_mfma_f32_32x32x4_2b_f16", [32, 32, 4], ["(64,4):(1,64)", "(64,4):(1,64)", "((32,2),(4,4,2)):((64,4),(1,8,32))"]).of_blocks(2),
            row("v_mfma_f32_16x16x4_4b_f16", [16, 16, 4], ["(64,4):(1,64)", "(64,4):(1,64)", "((16,4),(4,4)):((64,4),(1,16))"]).of_blocks(4),
            row("v_mfma_f32_4x4x4_16b_f16", [4, 4, 4], ["(64,4):(1,64)", "(64,4):(1,64)", "((4,16),4):((64,4),1)"]).of_blocks(16),
        ],
    },
    Family {
        name: "AMD RDNA3, wmma",
        kind: Kind::Product,
        threads: 32,
        note: Some(
            "A and B are held twice, by lanes 0 to 15 and 16 to 31; the rows of C alternate between them",
        ),
        source: "AMD RDNA3 instruction set manual; GPUOpen on WMMA of RDNA 3",
        rows: &[row(
            "{v_wmma_f32_16x16x16_f16,v_wmma_f32_16x16x16_bf16,v_wmma_f16_16x16x16_f16,v_wmma_bf16_16x16x16_bf16,v_wmma_i32_16x16x16_iu8,v_wmma_i32_16x16x16_iu4}",
            [16, 16, 16],
            ["((16,2),16):((1,0),16)", "((16,2),16):((1,0),16)", "((16,2),8):((16,1),2)"],
        )],
    },
    Family {
        name: "AMD RDNA4, wmma",
        kind: Kind::Product,
        threads: 32,
        note: Some(AMD_NOTE),
        source: "AMD RDNA4 instruction set manual; GPUOpen on the matrix cores of RDNA 4",
        rows: &[row(
            "gfx12_{v_wmma_f32_16x16x16_f16,v_wmma_f32_16x16x16_bf16,v_wmma_f16_16x16x16_f16,v_wmma_bf16_16x16x16_bf16,v_wmma_f32_16x16x16_fp8_fp8,v_wmma_f32_16x16x16_fp8_bf8,v_wmma_f32_16x16x16_bf8_fp8,v_wmma_f32_16x16x16_bf8_bf8,v_wmma_i32_16x16x16_iu8}",
            [16, 16, 16],
            ["((16,2),8):((1,128),16)", "((16,2),8):((1,128),16)", "((16,2),8):((16,8),1)"],
        )],
    },
    Family {
        name: "Intel Xe-HPG, dpas of 8 lanes",
        kind: Kind::Product,
        threads: 8,
        note: Some("a register of A is a row: 32 bytes, 4 in each lane"),
        source: "Intel Graphics Compiler, vISA documentation of DPAS, at execution size 8",
        rows: &[
            row("XEHPG_8x8x16_{F32F16F16F32,F16F16F16F16,F32BF16BF16F32,BF16BF16BF16BF16}", [8, 8, 16], ["(8,(2,8)):(16,(8,1))", "(8,16):(1,8)", "(8,8):(8,1)"]),
            row("XEHPG_4x8x16_{F32F16F16F32,F16F16F16F16,F32BF16BF16F32,BF16BF16BF16BF16}", [4, 8, 16], ["(8,(2,4)):(8,(4,1))", "(8,16):(1,8)", "(8,4):(4,1)"]),
            row("XEHPG_2x8x16_{F32F16F16F32,F16F16F16F16,F32BF16BF16F32,BF16BF16BF16BF16}", [2, 8, 16], ["(8,(2,2)):(4,(2,1))", "(8,16):(1,8)", "(8,2):(2,1)"]),
            row("XEHPG_1x8x16_{F32F16F16F32,F16F16F16F16,F32BF16BF16F32,BF16BF16BF16BF16}", [1, 8, 16], ["(8,(2,1)):(2,(1,1))", "(8,16):(1,8)", "(8,1):(1,1)"]),
            row("XEHPG_8x8x32_S32{S8S8,U8U8}S32", [8, 8, 32], ["(8,(4,8)):(32,(8,1))", "(8,32):(1,8)", "(8,8):(8,1)"]),
            row("XEHPG_4x8x32_S32{S8S8,U8U8}S32", [4, 8, 32], ["(8,(4,4)):(16,(4,1))", "(8,32):(1,8)", "(8,4):(4,1)"]),
            row("XEHPG_2x8x32_S32{S8S8,U8U8}S32", [2, 8, 32], ["(8,(4,2)):(8,(2,1))", "(8,32):(1,8)", "(8,2):(2,1)"]),
            row("XEHPG_1x8x32_S32{S8S8,U8U8}S32", [1, 8, 32], ["(8,(4,1)):(4,(1,1))", "(8,32):(1,8)", "(8,1):(1,1)"]),
        ],
    },
    Family {
        name: "Intel Xe, dpas",
        kind: Kind::Product,
        threads: 16,
        note: None,
        source: "CUTLASS for SYCL, include/cute/atom/mma_traits_xe_legacy.hpp",
        rows: &[
            row("XE_8x16x16_{F32F16F16F32,F16F16F16F16,F32BF16BF16F32,BF16BF16BF16BF16}_TT", [8, 16, 16], ["(16,8):(8,1)", "(16,16):(1,16)", "(16,8):(8,1)"]),
            row("XE_4x16x16_{F32F16F16F32,F16F16F16F16,F32BF16BF16F32,BF16BF16BF16BF16}_TT", [4, 16, 16], ["(16,4):(4,1)", "(16,16):(1,16)", "(16,4):(4,1)"]),
            row("XE_2x16x16_{F32F16F16F32,F16F16F16F16,F32BF16BF16F32,BF16BF16BF16BF16}_TT", [2, 16, 16], ["(16,2):(2,1)", "(16,16):(1,16)", "(16,2):(2,1)"]),
            row("XE_1x16x16_{F32F16F16F32,F16F16F16F16,F32BF16BF16F32,BF16BF16BF16BF16}_TT", [1, 16, 16], ["(16,1):(1,1)", "(16,16):(1,16)", "(16,1):(1,1)"]),
            row("XE_8x16x32_S32{S8S8,U8U8}S32_TT", [8, 16, 32], ["(16,(2,8)):(16,(8,1))", "(16,32):(1,16)", "(16,8):(8,1)"]),
            row("XE_4x16x32_S32{S8S8,U8U8}S32_TT", [4, 16, 32], ["(16,(2,4)):(8,(4,1))", "(16,32):(1,16)", "(16,4):(4,1)"]),
            row("XE_2x16x32_S32{S8S8,U8U8}S32_TT", [2, 16, 32], ["(16,(2,2)):(4,(2,1))", "(16,32):(1,16)", "(16,2):(2,1)"]),
            row("XE_1x16x32_S32{S8S8,U8U8}S32_TT", [1, 16, 32], ["(16,(2,1)):(2,(1,1))", "(16,32):(1,16)", "(16,1):(1,1)"]),
            row("XE_8x16x8_F32TF32TF32F32_TT", [8, 16, 8], ["((8,2),4):((8,1),2)", "(16,8):(1,16)", "(16,8):(8,1)"]),
            row("XE_4x16x8_F32TF32TF32F32_TT", [4, 16, 8], ["((8,2),2):((4,1),2)", "(16,8):(1,16)", "(16,4):(4,1)"]),
            row("XE_2x16x8_F32TF32TF32F32_TT", [2, 16, 8], ["((8,2),1):((2,1),0)", "(16,8):(1,16)", "(16,2):(2,1)"]),
            row("XE_1x16x8_F32TF32TF32F32_TT", [1, 16, 8], ["((8,2),1):((1,0),0)", "(16,8):(1,16)", "(16,1):(1,1)"]),
        ],
    },
    Family {
        name: "Intel AMX, tdp",
        kind: Kind::Product,
        threads: 1,
        note: Some("tiles of one core; in their registers K comes in groups of 32 bits"),
        source: "Intel architecture instruction set extensions, AMX",
        rows: &[
            row("AMX_16x16x32_{F32BF16BF16F32,F32F16F16F32}", [16, 16, 32], ["(1,(16,32)):(0,(1,16))", "(1,(16,32)):(0,(1,16))", "(1,(16,16)):(0,(1,16))"]),
            row("AMX_16x16x64_S32{S8,U8}{S8,U8}S32", [16, 16, 64], ["(1,(16,64)):(0,(1,16))", "(1,(16,64)):(0,(1,16))", "(1,(16,16)):(0,(1,16))"]),
        ],
    },
];
