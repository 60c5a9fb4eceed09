//! Pictures as files: the format asked for, or that of the file's name.

use std::path::Path;
use std::process::{Command, Output};

fn draw(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_viewmerge"));
    command.arg("draw").args(args).current_dir(folder).output().expect("runs")
}

/// The first bytes of a file of each format.
const STARTS: [(&str, &[u8]); 4] =
    [("svg", b"<svg "), ("png", b"\x89PNG\r\n\x1a\n"), ("pdf", b"%PDF-1."), ("tikz", b"% (3,2)")];

#[test]
fn formats() {
    let folder = std::env::temp_dir().join(format!("viewmerge-draw-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("is made");
    // (arguments, the file, its format)
    let rows: [(&[&str], &str, &str); 10] = [
        (&[], "a.svg", "svg"),
        (&[], "a.png", "png"),
        (&[], "a.pdf", "pdf"),
        (&[], "a.tex", "tikz"),
        (&[], "a.tikz", "tikz"),
        (&[], "B.PNG", "png"),
        (&[], "no-ending", "svg"),
        (&["--as", "pdf"], "a.data", "pdf"),
        (&["--as", "svg"], "really-svg.png", "svg"),
        (&["--as", "tikz", "--arrows", "--theme", "dark"], "a", "tikz"),
    ];
    for (args, file, format) in rows {
        let args = [&["(3,2):(1,3) | (6)", "-o", file], args].concat();
        let output = draw(&folder, &args);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && told.is_empty(), "{args:?}: {told}");
        assert!(output.stdout.is_empty(), "{args:?}");
        let written = std::fs::read(folder.join(file)).expect(file);
        let (_, start) = STARTS.iter().find(|(name, _)| *name == format).expect(format);
        assert!(written.starts_with(start), "{args:?}");
    }
    std::fs::remove_dir_all(&folder).expect("is removed");
}

#[test]
fn standard_output() {
    let folder = std::env::temp_dir();
    for (format, start) in STARTS {
        let output = draw(&folder, &["(3,2):(1,3) | (6)", "--as", format]);
        assert!(output.status.success() && output.stdout.starts_with(start), "{format}");
        // The same as in a file, except for the last line end.
        let again = draw(&folder, &["(3,2):(1,3) | (6)", "--as", format, "-o", "-"]);
        assert_eq!(output.stdout, again.stdout);
        let text = matches!(format, "svg" | "tikz");
        assert_eq!(output.stdout.ends_with(b"\n"), text, "{format}");
    }
    let svg = draw(&folder, &["(3,2):(1,3) | (6)"]);
    assert_eq!(svg.stdout, draw(&folder, &["(3,2):(1,3) | (6)", "--as", "svg"]).stdout);
}

#[test]
fn scale() {
    // The width of a PNG is at a fixed place of the file.
    let width = |scale: &str| {
        let output = draw(&std::env::temp_dir(), &["(3)", "--as", "png", "--scale", scale]);
        let bytes: [u8; 4] = output.stdout[16..20].try_into().expect("four bytes");
        u32::from_be_bytes(bytes)
    };
    assert_eq!(width("3").div_ceil(3), width("1"));
}

/// A small picture as TikZ, in full; VIEWMERGE_WRITE=1 rewrites it.
#[test]
fn tikz() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/draw/small.tex");
    let output =
        draw(&std::env::temp_dir(), &["--as", "tikz", "--arrows", "(3,2):(1,3)", "(6):(1)"]);
    let tex = String::from_utf8(output.stdout).expect("UTF-8");
    if std::env::var_os("VIEWMERGE_WRITE").is_some() {
        std::fs::write(&file, &tex).expect("is written");
    }
    assert_eq!(tex, std::fs::read_to_string(&file).expect("is kept"));
}

/// Layouts are written like views; the picture contains what is drawn.
#[test]
fn layouts() {
    let rows: [(&[&str], &[&str]); 4] = [
        (
            &["((2,2),4):((1,8),2)"],
            &[">mode 1</text>", ">15</text>", "lines: where modes are nested"],
        ),
        (&["Sw<1,0,2> o 0 o (4,2):(2,1)"], &["Sw&lt;1,0,2&gt;", ">7</text>"]),
        (
            &["((4,2),2):((2,8),1)", "--thread-value", "--tile", "2,8"],
            &[">T7</text>", "coloured by thread"],
        ),
        (
            &["(8,2):(2,1)", "--thread-value", "--colour", "value"],
            &[">T7</text>", "coloured by value"],
        ),
    ];
    for (args, parts) in rows {
        let mut command = Command::new(env!("CARGO_BIN_EXE_viewmerge"));
        let output = command.args(["cute", "draw"]).args(args).output().expect("runs");
        let svg = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && svg.starts_with("<svg "), "{args:?}");
        for part in parts {
            assert!(svg.contains(part), "{args:?}: {part}");
        }
    }
}

/// The cuts of a split are in the picture, and the view over it.
#[test]
fn splits() {
    let output = draw(&std::env::temp_dir(), &["--split", "(4,3):(1,4) | (12)"]);
    let svg = String::from_utf8_lossy(&output.stdout);
    assert!(
        svg.contains("one view over ((4,3)): (4,3):(1,4)") && svg.contains("class=\"mark good\"")
    );
    let none = draw(&std::env::temp_dir(), &["--split", "(4,2):(1,6) | (2,4):(3,1)"]);
    assert_eq!(none.status.code(), Some(2));
}
