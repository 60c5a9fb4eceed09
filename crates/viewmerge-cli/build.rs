//! Puts the explorer's page into the command, if the page was built: see scripts/wasm.

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let web = here.join("../../web");
    // In a published package the page is beside the sources; here the script builds it into web/.
    let places = [here.join("page/index.html"), web.join("dist/index.html")];
    println!("cargo:rerun-if-changed=build.rs");
    // Cargo runs this again at every build for a path that does not exist, so where there is no
    // page yet it watches the folder in which one will appear.
    match places.iter().find(|place| place.exists()) {
        Some(place) => println!("cargo:rerun-if-changed={}", place.display()),
        None if web.exists() => println!("cargo:rerun-if-changed={}", web.display()),
        None => {}
    }
    let page = places.iter().find_map(|place| fs::read(place).ok()).unwrap_or_default();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("page.html");
    // The same page again must not look new: the command would be compiled for nothing.
    if fs::read(&out).is_ok_and(|kept| kept == page) {
        return;
    }
    if let Err(error) = fs::write(&out, page) {
        println!("cargo:warning={}: {error}", out.display());
    }
}
