//! The table of matrix instructions: every layout fills its tile, the sizes match the name, and NVIDIA's
//! layouts match the formulas in the documentation of its instructions.

use viewmerge_cute::{Atom, AtomFamily, AtomOperand, Layout, Limit, tiled_copy};

/// Every instruction, with all its numbers of columns.
fn all() -> Vec<Atom> {
    let mut atoms = Vec::new();
    for family in AtomFamily::all() {
        for (names, sizes) in family.sizes() {
            for name in names {
                if sizes.is_empty() {
                    atoms.push(Atom::named(&name).expect(&name));
                }
                for n in sizes {
                    // All numbers of columns for one name; for the others only the first and the last.
                    let name = name.replace("xNx", &format!("x{n}x"));
                    let end = Some(n) == sizes.first() || Some(n) == sizes.last();
                    if end || name.contains("F32F16F16") {
                        atoms.push(Atom::named(&name).expect(&name));
                    }
                }
            }
        }
    }
    atoms
}

/// How often each position of a tile is held, which must be the same for all.
fn copies(name: &str, operand: &AtomOperand, layout: &Layout) -> i64 {
    let mut held = vec![0; (operand.tile[0] * operand.tile[1]) as usize];
    for at in 0..layout.size() {
        held[layout.at(at).expect("inside") as usize] += 1;
    }
    assert!(held.iter().all(|count| *count == held[0]), "{name} {}", operand.name);
    held[0]
}

/// The first `MxNxK` of a name.
fn sizes(name: &str) -> Option<[i64; 3]> {
    name.split('_').find_map(|part| {
        let numbers: Vec<i64> = part.split('x').map(|n| n.parse().ok()).collect::<Option<_>>()?;
        numbers.try_into().ok()
    })
}

#[test]
fn every_layout_fills_its_tile() {
    let atoms = all();
    assert!(atoms.len() > 600, "{}", atoms.len());
    for atom in &atoms {
        let name = atom.name();
        if let Some(shape) = atom.shape() {
            assert_eq!(sizes(name), Some(shape), "{name}");
            let [m, n, k] = shape;
            let blocks = atom.operands()[0].tile[0] / m;
            let tiles: Vec<[i64; 2]> = atom.operands().iter().map(|one| one.tile).collect();
            assert_eq!(tiles, [[m * blocks, k], [n * blocks, k], [m * blocks, n]], "{name}");
            assert!(blocks == 1 || name.contains(&format!("_{blocks}b_")), "{name}");
        }
        assert!(atom.operands().iter().any(|operand| operand.layout.is_some()), "{name}");
        for operand in atom.operands() {
            let Some(layout) = &operand.layout else { continue };
            let [threads, _] = layout.modes() else { panic!("{name}: two modes") };
            let threads = Layout::new(threads.clone()).expect("a mode").size();
            assert_eq!(threads, atom.threads(), "{name} {}", operand.name);
            let expected = match (name, operand.name) {
                ("XE_1x16x8_F32TF32TF32F32_TT", "A") => 2,
                (name, "A" | "B") if name.starts_with("v_wmma") => 2,
                (name, "source") if name.contains("x1_LDSM") || name.contains("x2_LDSM_T") => 4,
                (name, "source") if name.contains("x2_LDSM") || name.contains("x4_LDSM_T") => 2,
                (name, "destination") if name.contains("x1_STSM") || name.contains("x2_STSM_T") => {
                    4
                }
                (name, "destination") if name.contains("x2_STSM") || name.contains("x4_STSM_T") => {
                    2
                }
                _ => 1,
            };
            assert_eq!(copies(name, operand, layout), expected, "{name} {}", operand.name);
        }
    }
}

/// Compares a layout with a formula for the row and the column of (thread, value).
fn hold(atom: &Atom, operand: usize, formula: impl Fn(i64, i64) -> (i64, i64)) {
    let operand = &atom.operands()[operand];
    let layout = operand.layout.as_ref().expect("in registers");
    for at in 0..layout.size() {
        let (thread, value) = (at % atom.threads(), at / atom.threads());
        let (row, column) = formula(thread, value);
        let found = layout.at(at).expect("inside");
        let case = format!("{} {} T{thread} V{value}", atom.name(), operand.name);
        assert_eq!(found, row + operand.tile[0] * column, "{case}");
    }
}

/// How many elements of A a 32-bit register holds; a wider element takes a register of its own.
fn elements(name: &str) -> i64 {
    let k64 = name.contains("x64_");
    let sizes =
        [("U1U1", 32), ("S4", 8), ("U4", 8), ("E2M1E2M1", if k64 { 8 } else { 4 }), ("S8", 4)];
    let more = [("U8", 4), ("E4M3", 4), ("E5M2", 4), ("E3M2", 4), ("E2M3", 4), ("E2M1", 4)];
    let wide = [("C64", 1), ("F64", 1), ("TF32", 1), ("F16F16", 2), ("BF16", 2)];
    let known = sizes.iter().chain(&more).chain(&wide);
    known.into_iter().find(|(part, _)| name.contains(part)).map(|one| one.1).expect(name)
}

#[test]
fn those_of_a_warp_are_as_documented() {
    // PTX ISA, fragments of mma.sync with a group of 4 threads to a row.
    let mut seen = 0;
    for atom in all() {
        let Some([m, _, _]) = atom.shape() else { continue };
        let name = atom.name();
        let warp = ["SM75_", "SM80_", "SM89_", "SM90_16", "SM120_16"];
        if !warp.iter().any(|start| name.starts_with(start)) {
            continue;
        }
        seen += 1;
        let e = elements(name);
        let rows = m / 8;
        hold(&atom, 0, |t, v| {
            let (register, i) = (v / e, v % e);
            (t / 4 + 8 * (register % rows), t % 4 * e + i + 4 * e * (register / rows))
        });
        hold(&atom, 1, |t, v| (t / 4, t % 4 * e + v % e + 4 * e * (v / e)));
        hold(&atom, 2, |t, v| (t / 4 + 8 * (v / 2), t % 4 * 2 + v % 2));
    }
    assert!(seen > 150, "{seen}");
}

#[test]
fn those_of_a_quad_pair_are_as_documented() {
    for layout in ["TN", "NT", "NN", "TT"] {
        for accumulator in ["F16F16F16F16", "F32F16F16F32"] {
            let atom = Atom::named(&format!("SM70_8x8x4_{accumulator}_{layout}")).expect("known");
            let by_row = |t: i64, v: i64| (t, v);
            let by_column = |t: i64, v: i64| (v + 4 * (t / 4), t % 4);
            let ways = [layout.starts_with('T'), layout.ends_with('N')];
            for (operand, row) in ways.into_iter().enumerate() {
                hold(&atom, operand, |t, v| if row { by_row(t, v) } else { by_column(t, v) });
            }
            hold(&atom, 2, |t, v| match accumulator {
                "F16F16F16F16" => (t, v),
                _ => ((t & 1) + (v & 2) + 4 * (t / 4), (v & 4) + (t & 2) + (v & 1)),
            });
        }
    }
}

#[test]
fn those_of_a_warpgroup_are_as_documented() {
    let mut seen = 0;
    for atom in all().iter().filter(|atom| atom.name().starts_with("SM90_64x")) {
        seen += 1;
        let row = |t: i64| 16 * (t / 32) + t % 32 / 4;
        hold(atom, 2, |t, v| (row(t) + 8 * (v / 2 % 2), 8 * (v / 4) + 2 * (t % 4) + v % 2));
        if atom.operands()[0].layout.is_some() {
            let e = elements(atom.name());
            let column = |t: i64, v: i64| 4 * e * (v / (2 * e)) + e * (t % 4) + v % e;
            hold(atom, 0, |t, v| (row(t) + 8 * (v / e % 2), column(t, v)));
        }
    }
    assert!(seen > 80, "{seen}");
}

#[test]
fn those_of_matrix_cores_are_as_documented() {
    for atom in all().iter().filter(|atom| atom.name().starts_with("v_mfma")) {
        let Some([m, n, k]) = atom.shape() else { continue };
        let blocks = atom.operands()[0].tile[0] / m;
        if blocks == 1 {
            let run = k * m / 64;
            hold(atom, 0, |t, v| (t % m, run * (t / m) + v));
            hold(atom, 1, |t, v| (t % n, run * (t / n) + v));
        } else {
            hold(atom, 0, |t, v| (t, v));
            hold(atom, 1, |t, v| (t, v));
        }
        let double = atom.name().contains("f64");
        hold(atom, 2, |t, v| {
            // The values of a block come first; in a small block, its lanes do.
            let (own, block) =
                if m == 4 { (v, t / 4) } else { (v % (m * n / 64), v / (m * n / 64)) };
            let group = if m == 4 { 0 } else { t / n };
            let row = match double {
                true => group + 4 * own,
                false => own % 4 + 4 * group + own / 4 * (4 * 64 / n),
            };
            (block * m + row, t % n)
        });
    }
}

#[test]
fn those_that_are_not_there() {
    for name in [
        "",
        "SM80",
        "SM90_64x12x16_F32F16F16_RS",
        "SM90_64x40x32_S32S8S8_RS",
        "SM80_16x8x16_{F16F16F16F16}_TN",
    ] {
        let refused = Atom::named(name).expect_err(name);
        assert_eq!(refused.kind(), "unknown_atom", "{name}");
    }
}

/// Tiled instructions by their definition: element (i,j) of a warp's operand is shifted by the place of the
/// warp, and again by the repetition.
#[test]
fn tiled_instructions() {
    let none = Limit::none();
    for name in
        ["SM80_16x8x16_F32F16F16F32_TN", "SM70_8x8x4_F32F16F16F32_NT", "SM90_64x32x16_F32F16F16_RS"]
    {
        let atom = Atom::named(name).expect(name);
        let [m, n, k] = atom.shape().expect("a product");
        for (warps, [wm, wn, wk]) in [
            ("(2,2,1)", [2, 2, 1]),
            ("(2,3):(3,1)", [2, 3, 1]),
            ("1:0", [1, 1, 1]),
            ("(1,2,2):(0,2,1)", [1, 2, 2]),
        ] {
            for repeat in [[1, 1, 1], [2, 1, 1], [1, 3, 2]] {
                let layout: Layout = warps.parse().expect(warps);
                let tiled = atom.tiled(&layout, repeat, &none).expect(warps);
                assert_eq!(
                    tiled.shape(),
                    Some([m * wm * repeat[0], n * wn * repeat[1], k * wk * repeat[2]])
                );
                for (own, many) in atom.operands().iter().zip(tiled.operands()) {
                    let (Some(one), Some(all)) = (&own.layout, &many.layout) else { continue };
                    let [a, b] = match own.name {
                        "A" => [0, 2],
                        "B" => [1, 2],
                        _ => [0, 1],
                    };
                    let threads = atom.threads();
                    let values = one.size() / threads;
                    let [rows, columns] = own.tile;
                    let mut found = Vec::new();
                    // Values and repetitions in order, warps by their numbers.
                    for second in 0..repeat[b] {
                        for first in 0..repeat[a] {
                            for value in 0..values {
                                for warp in 0..wm * wn * wk {
                                    let place = (0..wm * wn * wk)
                                        .find(|&at| layout.at(at) == Ok(warp))
                                        .expect("numbered");
                                    let at = [place % wm, place / wm % wn, place / wm / wn];
                                    let size = [wm, wn, wk];
                                    for thread in 0..threads {
                                        let position =
                                            one.at(thread + threads * value).expect("within");
                                        let row =
                                            position % rows + rows * (at[a] + size[a] * first);
                                        let column =
                                            position / rows + columns * (at[b] + size[b] * second);
                                        found.push(row + column * many.tile[0]);
                                    }
                                }
                            }
                        }
                    }
                    let answer: Vec<i64> =
                        (0..all.size()).map(|at| all.at(at).expect("within")).collect();
                    assert_eq!(answer, found, "{name} {warps} {repeat:?} {}", own.name);
                }
            }
        }
    }
    let atom = Atom::named("SM75_U32x4_LDSM_N").expect("a copy");
    assert!(atom.tiled(&"2:1".parse().expect("a layout"), [1, 1, 1], &none).is_err());
    let atom = Atom::named("SM80_16x8x16_F32F16F16F32_TN").expect("a product");
    for warps in ["2:0", "2:2", "(2,2,2,2)"] {
        assert!(atom.tiled(&warps.parse().expect(warps), [1, 1, 1], &none).is_err(), "{warps}");
    }
    assert!(atom.tiled(&"2:1".parse().expect("a layout"), [0, 1, 1], &none).is_err());
    assert!(atom.tiled(&"2:1".parse().expect("a layout"), [1 << 40, 1, 1], &none).is_err());
}

/// A tiled copy by its definition: value v of thread t is where the two numbers meet in the raked tile.
#[test]
fn tiled_copies() {
    let none = Limit::none();
    for (threads, values) in [
        ("(4,8):(8,1)", "(1,4)"),
        ("(16,8):(1,16)", "(8,1)"),
        ("(2,2)", "(2,3):(3,1)"),
        ("8:1", "4:1"),
    ] {
        let [threads, values]: [Layout; 2] =
            [threads, values].map(|text| text.parse().expect(text));
        let (tile, layout) =
            tiled_copy(&threads, &values, &none).expect("asked").expect("there is one");
        let sizes = |layout: &Layout| -> Vec<i64> {
            (0..2).map(|mode| layout.leaves().get(mode).map_or(1, |leaf| leaf.0)).collect()
        };
        let (t, v) = (sizes(&threads), sizes(&values));
        assert_eq!(tile, [t[0] * v[0], t[1] * v[1]]);
        for thread in 0..threads.size() {
            for value in 0..values.size() {
                let number = |layout: &Layout, wanted: i64| {
                    (0..layout.size()).find(|&at| layout.at(at) == Ok(wanted)).expect("numbered")
                };
                let (at, of) = (number(&threads, thread), number(&values, value));
                let row = of % v[0] + v[0] * (at % t[0]);
                let column = of / v[0] + v[1] * (at / t[0]);
                assert_eq!(layout.at(thread + threads.size() * value), Ok(row + column * tile[0]));
            }
        }
    }
}
