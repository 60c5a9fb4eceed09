//! Questions as other people's programs ask them: attention with caches, convolutions, windows, strides
//! that are not known, and real cases with numbers replaced by parameters.

use super::{Draw, Question, braced, chain_of_ops, pair, rows};

/// A set of random questions by its name.
pub fn set(name: &str) -> Option<fn(&mut Draw) -> Question> {
    Some(match name {
        "ops" => |draw| chain_of_ops(draw, 1),
        "ops-from-0" => |draw| chain_of_ops(draw, 0),
        "pairs" => pair,
        "raw-pairs" => raw_pairs,
        "attention" => attention,
        "convolution" => convolution,
        "windows" => windows,
        "strides" => strides,
        "mutated" => mutated,
        "people" => people,
        _ => return None,
    })
}

fn question(params: &[(&str, i64)], text: &str) -> Question {
    let named = |word: &str| text.split(|c: char| !c.is_alphanumeric()).any(|found| found == word);
    let used = params.iter().filter(|(name, _)| named(name));
    let params = used.map(|(name, least)| ((*name).to_owned(), *least, 1)).collect();
    Question { params, text: braced(text) }
}

/// Heads split and merged, a cache of which a part is filled, keys repeated for a group of heads, batches
/// of one length each.
pub fn attention(draw: &mut Draw) -> Question {
    let d = draw.pick(&["64", "8", "D"]);
    let h = draw.pick(&["H", "4", "1"]);
    let text = match draw.below(8) {
        0 => format!(
            "(B,T,{h}*{d}) | reshape(B,T,{h},{d}) | permute(0,2,1,3) | reshape(B*{h},T,{d})"
        ),
        1 => format!(
            "(B,S,{h},{d}) | shrink((0,B),(p,S),(0,{h}),(0,{d})) | permute(0,2,1,3) | reshape(B*{h},S-p,{d})"
        ),
        2 => {
            format!("(B,S,{h},{d}) | shrink((0,B),(p,p+T),(0,{h}),(0,{d})) | reshape(B*T,{h}*{d})")
        }
        3 => format!("(B,T,3,{h},{d}) | permute(2,0,3,1,4) | slice(1:2) | reshape(B,{h},T*{d})"),
        4 => format!("(B,T,{h},1,{d}) | expand(B,T,{h},G,{d}) | reshape(B,T,{h}*G*{d})"),
        5 => format!(
            "(B,{h},T,T) | pad((0,0),(0,0),(0,0),(1,0)) | reshape(B,{h},T*(T+1)) | shrink((0,B),(0,{h}),(T,T*(T+1))) | reshape(B,{h},T,T)"
        ),
        6 => format!(
            "(N,{h},{d}) | shrink((s,s+T),(0,{h}),(0,{d})) | permute(1,0,2) | reshape({h}*T,{d})"
        ),
        _ => format!(
            "(S,B,{h}*{d}) | shrink((p,S),(0,B),(0,{h}*{d})) | reshape(S-p,B*{h},{d}) | transpose(0,1) | reshape(B,{h}*(S-p)*{d})"
        ),
    };
    let params =
        [("B", 1), ("T", 1), ("H", 1), ("D", 1), ("S", 1), ("G", 1), ("N", 1), ("p", 0), ("s", 0)];
    question(&params, &text)
}

/// Windows of convolutions and poolings with padding, steps and dilations, and their gradients' shapes.
pub fn convolution(draw: &mut Draw) -> Question {
    let k = draw.pick(&["2", "3", "1"]);
    let step = draw.pick(&["1", "2", "3"]);
    let far = draw.pick(&["1", "2"]);
    let pad = draw.pick(&["P", "1", "0"]);
    let rows = format!("(H+2*{pad}-{far}*({k}-1)-1)//{step}+1");
    let windows = format!("as_strided((C,{rows},{k}),(H+2*{pad},{step},{far}))");
    let text = match draw.below(6) {
        0 => format!("(C,H) | pad((0,0),({pad},{pad})) | {windows}"),
        1 => format!("(C,H) | pad((0,0),({pad},{pad})) | {windows} | reshape(C*({rows}),{k})"),
        2 => format!(
            "(C,H) | pad((0,0),({pad},{pad})) | {windows} | permute(0,2,1) | reshape(C*{k},{rows})"
        ),
        3 => format!("(C,H,W) | pad((0,0),({pad},{pad}),({pad},{pad})) | step(1,{step},{step})"),
        4 => format!(
            "(C,H,W) | pad((0,0),({pad},0),(0,{pad})) | reshape(C,(H+{pad})*(W+{pad})) | step(1,{step})"
        ),
        _ => format!(
            "(C,H,1) | expand(C,H,{k}) | reshape(C,H*{k}) | pad((0,0),({pad},0)) | reshape(C*(H*{k}+{pad}))"
        ),
    };
    question(&[("C", 1), ("H", 1), ("W", 1), ("P", 0)], &text)
}

/// Windows with a remainder, pixel and channel shuffles, rolling, slices by steps.
pub fn windows(draw: &mut Draw) -> Question {
    let w = draw.pick(&["2", "3", "7"]);
    let cut = format!("(H//{w})*{w}");
    let text = match draw.below(7) {
        0 => format!("(B,H,C) | shrink((0,B),(0,{cut}),(0,C)) | reshape(B,H//{w},{w}*C)"),
        1 => format!("(B,H,C) | shrink((0,B),(0,{cut}),(0,C)) | reshape(B*(H//{w}),{w}*C)"),
        2 => format!(
            "(H,W) | shrink((0,{cut}),(0,W)) | reshape(H//{w},{w},W) | permute(1,0,2) | reshape({w},(H//{w})*W)"
        ),
        3 => format!("(B,C*{w},H) | reshape(B,C,{w},H) | permute(0,1,3,2) | reshape(B,C,H*{w})"),
        4 => format!("(B,C*{w},H) | reshape(B,C,{w},H) | permute(0,2,1,3) | reshape(B,C*{w},H)"),
        5 => "(1,N) | expand(2,N) | reshape(2*N) | shrink((r,r+N))".to_owned(),
        _ => format!("(B,H) | slice(:,::{w}) | reshape(B*((H+{w}-1)//{w}))"),
    };
    let params = [("B", 1), ("C", 1), ("H", 1), ("W", 1), ("N", 1), ("r", 0)];
    question(&params, &text)
}

/// Strides that are not known, as compilers meet them.
pub fn strides(draw: &mut Draw) -> Question {
    let inner = draw.pick(&["1", "s", "4"]);
    let text = match draw.below(6) {
        0 => format!("(A,B,4):(t,s,{inner}) | reshape(A*B,4)"),
        1 => format!("(A,B):(t,{inner}) | permute(1,0) | reshape(B*A)"),
        2 => format!("(A,B,3):(t,3*{inner},{inner}) | reshape(A,B*3) | slice(:,::2)"),
        3 => "(N) | as_strided((A,3),(s,1)) | reshape(3*A)".to_owned(),
        4 => "(N) | as_strided((A,B),(s,t)) | reshape(A*B)".to_owned(),
        _ => format!("(A,4,5):(t,{inner},0) | reshape(A*4,5) | flip(0) | reshape(A*20)"),
    };
    question(&[("A", 1), ("B", 1), ("N", 1), ("s", 0), ("t", 0)], &text)
}

/// Two views with unknown numbers in every place, some masked: nothing a program makes, and the hardest to decide.
pub fn raw_pairs(draw: &mut Draw) -> Question {
    let size = |draw: &mut Draw| draw.pick(&["2", "3", "4", "5", "M", "N", "2*M", "N+1"]);
    let shape: Vec<&str> = (0..2 + draw.below(2)).map(|_| size(draw)).collect();
    let stride = |draw: &mut Draw| draw.pick(&["0", "1", "3", "6", "s", "t", "M+1", "N*2", "N*N"]);
    let strides: Vec<&str> = shape.iter().map(|_| stride(draw)).collect();
    let masked = draw.below(3 * shape.len());
    let bounds = shape.iter().enumerate().map(|(axis, size)| match axis == masked {
        true => format!("1:{size}"),
        false => format!("0:{size}"),
    });
    let bounds = format!(" [{}]", bounds.collect::<Vec<_>>().join(","));
    let mask = if masked < shape.len() { &bounds[..] } else { "" };
    let offset = draw.pick(&["", "+N", "+5"]);
    let below = format!("({}):({}){offset}{mask}", shape.join(","), strides.join(","));
    let length = |draw: &mut Draw| draw.pick(&["2", "3", "3", "M", "N"]);
    let step = |draw: &mut Draw| draw.pick(&["1", "3", "4", "6", "s", "N*2", "M+1"]);
    let (a, b) = ((length(draw), step(draw)), (length(draw), step(draw)));
    let more = draw.pick(&["", "+N", "+2"]);
    let top = match draw.below(3) {
        0 => format!("({},{}):({},{}){more}", a.0, b.0, a.1, b.1),
        _ => format!("({}):({}){more}", a.0, a.1),
    };
    question(&[("M", 1), ("N", 1), ("s", 0), ("t", -3)], &format!("{below} | {top}"))
}

/// Programs as people write them: patterns of einops, unfolded images, pixel shuffles, caches with a position, batches
/// padded to one length, rolls by slices, heads and groups, diagonals and windows that overlap.
pub fn people(draw: &mut Draw) -> Question {
    let d = draw.pick(&["D", "8", "64"]);
    let r = draw.pick(&["2", "3", "r"]);
    let k = draw.pick(&["2", "3"]);
    let text = match draw.below(24) {
        // b (h p) (w q) c -> b (h w) (p q c)
        0 => format!("(B,H*{r},W*{r},C) | reshape(B,H,{r},W,{r},C) | permute(0,1,3,2,4,5) | reshape(B,H*W,{r}*{r}*C)"),
        // b (c r s) h w -> b c (h r) (w s)
        1 => format!("(B,C*{r}*{r},H,W) | reshape(B,C,{r},{r},H,W) | permute(0,1,4,2,5,3) | reshape(B,C,H*{r},W*{r})"),
        // b c h w -> b (h w) c and back
        2 => "(B,C,H,W) | permute(0,2,3,1) | reshape(B,H*W,C) | permute(0,2,1) | reshape(B,C,H,W)".to_owned(),
        3 => "(B,C,H,W) | reshape(B,C,H*W) | permute(0,2,1) | reshape(B*H*W,C)".to_owned(),
        // unfold along one axis, with an overlap
        4 => format!("(B,T) | as_strided((B,T-{k}+1,{k}),(T,1,1)) | reshape(B*(T-{k}+1),{k})"),
        5 => format!("(B,T) | as_strided((B,T//{k},{k}),(T,{k},1)) | reshape(B*(T//{k}),{k})"),
        6 => format!("(B,C,T) | pad((0,0),(0,0),({k},0)) | as_strided((B,C,T+1,{k}),(C*(T+{k}),T+{k},1,1)) | permute(0,2,1,3) | reshape(B*(T+1),C*{k})"),
        // im2col of a square image
        7 => format!("(C,H,W) | as_strided((C,{k},{k},H-{k}+1,W-{k}+1),(H*W,W,1,W,1)) | reshape(C*{k}*{k},(H-{k}+1)*(W-{k}+1))"),
        8 => format!("(C,H,W) | as_strided((C,H//{k},W//{k},{k},{k}),(H*W,{k}*W,{k},W,1)) | reshape(C,(H//{k})*(W//{k}),{k}*{k})"),
        // caches
        9 => format!("(B,S,2,N,{d}) | shrink((0,B),(0,p+T),(1,2),(0,N),(0,{d})) | reshape(B,p+T,N*{d})"),
        10 => format!("(B,N,S,{d}) | shrink((0,B),(0,N),(p,p+T),(0,{d})) | reshape(B*N,T,{d}) | permute(0,2,1)"),
        11 => format!("(B,N,S,{d}) | shrink((0,B),(0,N),(p,p+T),(0,{d})) | unsqueeze(2) | expand(B,N,G,T,{d}) | reshape(B,N*G,T,{d})"),
        // batches padded to one length
        12 => format!("(T,{d}) | pad((0,S),(0,0)) | reshape(1,T+S,{d}) | expand(B,T+S,{d})"),
        13 => format!("(B,T,{d}) | pad((0,0),(p,S),(0,0)) | reshape(B*(T+S+p),{d})"),
        14 => format!("(B,T,{d}) | pad((0,0),(0,S),(0,0)) | reshape(B,(T+S)*{d}) | shrink((0,B),(0,T*{d})) | reshape(B*T,{d})"),
        // rolls
        15 => "(N) | pad((0,p)) | shrink((p,N+p))".to_owned(),
        16 => "(B,N) | unsqueeze(1) | expand(B,2,N) | reshape(B,2*N) | shrink((0,B),(p,p+N)) | reshape(B*N)".to_owned(),
        17 => "(H,W) | pad((0,0),(p,0)) | shrink((0,H),(0,W)) | reshape(H*W)".to_owned(),
        // relative positions, diagonals
        18 => "(T,2*T-1) | pad((0,0),(0,1)) | reshape(2*T*T) | shrink((0,2*T*T-T)) | reshape(T,2*T-1) | shrink((0,T),(T-1,2*T-1))".to_owned(),
        19 => "(N,N) | reshape(N*N) | pad((0,N)) | reshape(N,N+1) | shrink((0,N),(0,1)) | reshape(N)".to_owned(),
        // interleaved pairs
        20 => format!("(B,T,{d}*2) | reshape(B,T,{d},2) | shrink((0,B),(0,T),(0,{d}),(p,p+1)) | reshape(B*T,{d})"),
        21 => format!("(B,T,2*{d}) | reshape(B,T,2,{d}) | permute(0,1,3,2) | reshape(B,T*{d},2)"),
        // groups of channels, mean over pairs
        22 => format!("(B,G*C,T) | reshape(B,G,C,T) | flip(3) | reshape(B,G,C*T) | step(1,1,{k})"),
        _ => format!("(B,T,C) | step(1,{k},1) | permute(0,2,1) | reshape(B*C,(T+{k}-1)//{k}) | flip(1)"),
    };
    let names = ["B", "C", "D", "G", "H", "N", "S", "T", "W", "r"];
    let mut params: Vec<(&str, i64)> = names.map(|name| (name, 1)).to_vec();
    params.push(("p", 0));
    question(&params, &text)
}

/// A real case in which one number is a parameter, too, and with it its multiples.
pub fn mutated(draw: &mut Draw) -> Question {
    loop {
        let row = draw.pick(&rows());
        let (text, list) = (row["chain"].as_str().expect("text"), row["params"].as_array());
        let plain = list.into_iter().flatten().map(|p| p.as_str().expect("text").to_owned());
        let plain: Vec<String> = plain.collect();
        // Those whose parameters are plain sizes, without exact quotients; a difference that is −1 would be a size
        // to be filled in.
        let differs = |item: &str| {
            let before = |at: usize| item[..at].ends_with(char::is_alphanumeric);
            item.contains("reshape") && item.match_indices('-').any(|(at, _)| before(at))
        };
        if text.contains('/')
            || text.split('|').any(differs)
            || !plain.iter().all(|p| p.chars().all(char::is_alphanumeric))
        {
            continue;
        }
        let words = words(text);
        let numbers: Vec<i64> =
            words.iter().filter_map(|word| word.parse().ok()).filter(|n| *n > 1).collect();
        if numbers.is_empty() {
            continue;
        }
        let n = draw.pick(&numbers);
        let replaced = words.iter().map(|word| match word.parse::<i64>() {
            Ok(m) if m == n => "k".to_owned(),
            Ok(m) if m > n && m % n == 0 => format!("{}*k", m / n),
            _ => word.clone(),
        });
        let text: String = replaced.collect();
        let mut params: Vec<(String, i64, i64)> =
            plain.into_iter().map(|name| (name, draw.pick(&[1, 1, 0]), 1)).collect();
        params.push(("k".to_owned(), 1, 1));
        return Question { params, text: braced(&text) };
    }
}

/// A text cut into numbers, names and all else; axes of ops stay as they are.
fn words(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for item in text.split_inclusive('|') {
        let op: String = item.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
        if ["permute", "transpose", "flip", "flatten", "squeeze", "unsqueeze", "slice", "step"]
            .contains(&op.as_str())
        {
            found.push(item.to_owned());
            continue;
        }
        let mut before = ' ';
        for c in item.chars() {
            match found.last_mut() {
                Some(last) if c.is_alphanumeric() && before.is_alphanumeric() => last.push(c),
                _ => found.push(c.to_string()),
            }
            before = c;
        }
    }
    found
}

/// Slices of what is padded, regrouped and sliced again: sizes that are typed fit some of the clamped ones.
pub fn sliced(draw: &mut Draw) -> Question {
    let list = |draw: &mut Draw, count: usize, items: &[&str]| {
        (0..count).map(|_| draw.pick(items)).collect::<Vec<_>>().join(",")
    };
    let mut rank = 1 + draw.below(2);
    let mut text = format!("({})", list(draw, rank, &["N", "M", "3", "2*N", "N+M"]));
    for _ in 0..1 + draw.below(2) {
        if draw.one_in(3) {
            let pairs: Vec<&str> =
                (0..rank).map(|_| draw.pick(&["(0,0)", "(1,0)", "(N,1)"])).collect();
            text += &format!(" | pad({})", pairs.join(","));
        }
        if rank == 2 && draw.one_in(2) {
            text += " | permute(1,0)";
        }
        let op = draw.pick(&["slice", "slice", "slice", "step"]);
        let items: &[&str] = if op == "slice" { &SLICES } else { &["1", "2", "-1", "N-2", "-M"] };
        text += &format!(" | {op}({})", list(draw, rank, items));
        if draw.one_in(2) {
            (rank, text) = match draw.below(4) {
                0 => (2, text + " | reshape(-1,2)"),
                1 => (
                    2,
                    text + &format!(" | reshape({})", list(draw, 2, &["N", "2", "M", "1", "3"])),
                ),
                2 => (
                    1,
                    text + &format!(" | reshape({})", draw.pick(&["3", "2*N", "2", "M", "3*N"])),
                ),
                _ => (1, text + " | flatten()"),
            };
        }
    }
    question(&[("N", draw.pick(&[0, 1])), ("M", draw.pick(&[0, 1]))], &text)
}

/// The ends of slices, many of which lie beyond the axis, and steps either way.
const SLICES: [&str; 24] = [
    ":", "::2", "::-1", "::N", ":3", "2:", "-2:", ":-1", ":N", "M:", "N-2:M", "-N:", ":-M",
    "1:N:2", "3::-1", ":1:-2", "-1:-4:-1", "M:N:-1", "N-M:", ":M-N", "::M-2", "1:-1:N-1", "5:2",
    "-9:9",
];

/// Every op with sizes, amounts, ends and steps that are not known and often do not fit.
pub fn every_op(draw: &mut Draw) -> Question {
    let sizes = ["N", "M", "0", "1", "2", "3", "N*M", "N+1", "M-1"];
    let mut rank = 1 + draw.below(3);
    let list = |draw: &mut Draw, count: usize, items: &[&str]| {
        (0..count).map(|_| draw.pick(items)).collect::<Vec<_>>().join(",")
    };
    let mut text = format!("({})", list(draw, rank, &sizes));
    for _ in 0..1 + draw.below(3) {
        let axis = draw.below(rank.max(1));
        let op = match draw.below(16) {
            0 | 1 => {
                let shape = list(draw, 2, &sizes);
                let steps = list(draw, 2, &["0", "1", "2", "-1", "N"]);
                rank = 2;
                format!(
                    "as_strided(({shape}),({steps}),{})",
                    draw.pick(&["0", "0", "1", "M", "-1"])
                )
            }
            2 if rank > 0 => {
                rank -= 1;
                format!("squeeze({axis})")
            }
            3 if rank < 4 => {
                rank += 1;
                format!("unsqueeze({axis})")
            }
            4 => {
                rank = 1;
                "flatten()".to_owned()
            }
            5 if rank > 0 => {
                rank += 1;
                format!("unflatten({axis},({}))", list(draw, 2, &["-1", "N", "M", "2", "1", "0"]))
            }
            6 | 7 => {
                format!("expand({})", list(draw, rank, &["N", "M", "3", "-1", "1", "0", "-1"]))
            }
            8 | 9 => {
                rank = 1 + draw.below(3);
                format!("reshape({})", list(draw, rank, &["-1", "N", "M", "N*M", "2", "1", "0"]))
            }
            10 | 11 => {
                let ends = |draw: &mut Draw| list(draw, 2, &["0", "1", "N", "M-1", "0"]);
                let pairs: Vec<String> = (0..rank).map(|_| format!("({})", ends(draw))).collect();
                format!("pad({})", pairs.join(","))
            }
            12 => {
                let ends = |draw: &mut Draw| list(draw, 2, &["0", "1", "N", "M", "0", "N-1"]);
                let pairs: Vec<String> = (0..rank).map(|_| format!("({})", ends(draw))).collect();
                format!("shrink({})", pairs.join(","))
            }
            13 => format!("step({})", list(draw, rank, &["1", "2", "-1", "N", "-2"])),
            14 if rank > 0 => format!("flip({axis})"),
            _ if rank > 0 => format!("slice({})", list(draw, rank, &SLICES)),
            _ => continue,
        };
        text += &format!(" | {op}");
    }
    question(&[("N", 0), ("M", 0)], &text)
}
