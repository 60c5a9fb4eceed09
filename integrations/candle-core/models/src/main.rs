//! A small transformer and a small convolution net with random weights: how many bytes their reshapes
//! copy, how long they take, and a digest of every bit of the output.
//!
//! `integrations/candle-core/models/run` runs it with candle as released and with the patch.

use std::cell::Cell;
use std::time::Instant;

use candle_core::{D, DType, Device, Result, Tensor};

thread_local! {
    static RESHAPES: Cell<usize> = const { Cell::new(0) };
    static COPIES: Cell<usize> = const { Cell::new(0) };
    static COPIED: Cell<usize> = const { Cell::new(0) };
}

/// Counts whether an op copied: then the data is elsewhere.
fn counted(before: &Tensor, after: Tensor) -> Tensor {
    let place = |tensor: &Tensor| {
        let (storage, _) = tensor.storage_and_layout();
        match &*storage {
            candle_core::Storage::Cpu(cpu) => match cpu.as_slice::<f32>() {
                Ok(slice) => slice.as_ptr() as usize,
                Err(_) => 0,
            },
            _ => 0,
        }
    };
    RESHAPES.set(RESHAPES.get() + 1);
    if place(before) != place(&after) {
        COPIES.set(COPIES.get() + 1);
        COPIED.set(COPIED.get() + after.elem_count() * after.dtype().size_in_bytes());
    }
    after
}

fn reshape(tensor: &Tensor, shape: &[usize]) -> Result<Tensor> {
    Ok(counted(tensor, tensor.reshape(shape)?))
}

fn contiguous(tensor: &Tensor) -> Result<Tensor> {
    Ok(counted(tensor, tensor.contiguous()?))
}

/// The same numbers every time.
struct Random(u64);

impl Random {
    fn tensor(&mut self, shape: &[usize]) -> Result<Tensor> {
        let numbers: Vec<f32> = (0..shape.iter().product())
            .map(|_| {
                self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                ((self.0 >> 40) as f32 / (1 << 24) as f32 - 0.5) * 0.2
            })
            .collect();
        Tensor::from_vec(numbers, shape, &Device::Cpu)
    }
}

fn softmax(scores: &Tensor) -> Result<Tensor> {
    let shifted = scores.broadcast_sub(&scores.max_keepdim(D::Minus1)?)?;
    let powers = shifted.exp()?;
    powers.broadcast_div(&powers.sum_keepdim(D::Minus1)?)
}

const BATCH: usize = 4;
const LENGTH: usize = 64;
const HEADS: usize = 8;
const WIDTH: usize = 32;

/// Attention with the heads grouped, two queries for each key, as many models have it.
fn attention(x: &Tensor, weights: &[Tensor]) -> Result<Tensor> {
    let model = HEADS * WIDTH;
    let project = |weight: &Tensor| -> Result<Tensor> {
        let rows = reshape(x, &[BATCH * LENGTH, model])?.matmul(weight)?;
        reshape(&rows, &[BATCH, LENGTH, HEADS, WIDTH])?.transpose(1, 2)
    };
    let (queries, keys, values) =
        (project(&weights[0])?, project(&weights[1])?, project(&weights[2])?);
    // Groups of heads, split off transposed tensors: these are views.
    let grouped = [BATCH, HEADS / 2, 2, LENGTH, WIDTH];
    let queries = reshape(&queries, &grouped)?.affine(1.0 / (WIDTH as f64).sqrt(), 0.0)?;
    let keys = contiguous(&reshape(&keys, &grouped)?.transpose(3, 4)?)?;
    let values = contiguous(&reshape(&values, &grouped)?)?;
    // One batch for the products, which accept no more.
    let batches = BATCH * HEADS;
    let queries = reshape(&queries, &[batches, LENGTH, WIDTH])?;
    let keys = reshape(&keys, &[batches, WIDTH, LENGTH])?;
    let values = reshape(&values, &[batches, LENGTH, WIDTH])?;
    let mixed = softmax(&queries.matmul(&keys)?)?.matmul(&values)?;
    let mixed = reshape(&mixed, &[BATCH, HEADS, LENGTH, WIDTH])?.transpose(1, 2)?;
    let rows = reshape(&mixed, &[BATCH * LENGTH, model])?.matmul(&weights[3])?;
    reshape(&rows, &[BATCH, LENGTH, model])
}

fn transformer(x: &Tensor, layers: &[Vec<Tensor>]) -> Result<Tensor> {
    let model = HEADS * WIDTH;
    let mut x = x.clone();
    for weights in layers {
        x = (&x + attention(&x, weights)?)?;
        let rows = reshape(&x, &[BATCH * LENGTH, model])?;
        let hidden = rows.matmul(&weights[4])?.relu()?.matmul(&weights[5])?;
        x = (&x + reshape(&hidden, &[BATCH, LENGTH, model])?)?;
    }
    Ok(x)
}

/// Convolutions with a shuffle of channels between, then patches of the last picture.
fn convolutions(x: &Tensor, weights: &[Tensor]) -> Result<Tensor> {
    let mut x = x.clone();
    for weight in weights {
        x = x.conv2d(weight, 1, 1, 1, 2)?.relu()?;
        let (batch, channels, height, width) = x.dims4()?;
        let halves = reshape(&x, &[batch, 2, channels / 2, height, width])?.transpose(1, 2)?;
        // Pictures as rows: a view of the shuffled halves.
        let rows = reshape(&halves, &[batch, channels / 2, 2, height * width])?;
        let scaled = rows.affine(0.5, 0.1)?;
        x = reshape(&scaled, &[batch, channels, height, width])?;
    }
    let (batch, channels, height, width) = x.dims4()?;
    let patches = x.permute((0, 2, 3, 1))?;
    let patches = reshape(&patches, &[batch, height / 4, 4, width / 4, 4, channels])?;
    let patches = patches.permute((0, 1, 3, 2, 4, 5))?;
    reshape(&patches, &[batch, height * width / 16, 16 * channels])?.sum(D::Minus1)
}

/// Every bit of a tensor in one number (FNV).
fn digest(tensor: &Tensor) -> Result<u64> {
    let numbers = tensor.to_dtype(DType::F32)?.flatten_all()?.to_vec1::<f32>()?;
    Ok(numbers.iter().fold(0xcbf2_9ce4_8422_2325, |hash, number| {
        (hash ^ u64::from(number.to_bits())).wrapping_mul(0x0100_0000_01b3)
    }))
}

fn measured(name: &str, run: impl Fn() -> Result<Tensor>) -> Result<()> {
    for counter in [&RESHAPES, &COPIES, &COPIED] {
        counter.set(0);
    }
    let output = run()?;
    let (reshapes, copies, bytes) = (RESHAPES.get(), COPIES.get(), COPIED.get());
    let mut best = f64::INFINITY;
    // How often to time it; 0 if only the copies matter.
    let passes = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(15);
    for _ in 0..passes {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64() * 1e3);
    }
    println!(
        "{name}: {reshapes} reshapes and the like, {copies} copies of {bytes} bytes, {best:.2} ms, output {:016x}",
        digest(&output)?
    );
    Ok(())
}

fn main() -> Result<()> {
    let mut random = Random(1);
    let model = HEADS * WIDTH;
    let layers = (0..4)
        .map(|_| {
            let mut weights =
                (0..4).map(|_| random.tensor(&[model, model])).collect::<Result<Vec<_>>>()?;
            weights.push(random.tensor(&[model, 4 * model])?);
            weights.push(random.tensor(&[4 * model, model])?);
            Ok(weights)
        })
        .collect::<Result<Vec<_>>>()?;
    let x = random.tensor(&[BATCH, LENGTH, model])?;
    measured("transformer", || transformer(&x, &layers))?;
    let weights = (0..3).map(|_| random.tensor(&[32, 16, 3, 3])).collect::<Result<Vec<_>>>()?;
    let picture = random.tensor(&[2, 32, 32, 32])?;
    measured("convolution net", || convolutions(&picture, &weights))
}
