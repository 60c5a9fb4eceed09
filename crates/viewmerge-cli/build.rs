//! Puts the explorer's page into the command, if it was built: see scripts/wasm.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    // Beside the sources where this package was published, else where the script puts it.
    let places = [here.join("page/index.html"), here.join("../../web/dist/index.html")];
    for place in &places {
        println!("cargo:rerun-if-changed={}", place.display());
    }
    let page = places.iter().find_map(|place| fs::read(place).ok()).unwrap_or_default();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("page.html");
    if let Err(error) = fs::write(&out, page) {
        println!("cargo:warning={}: {error}", out.display());
    }
}
