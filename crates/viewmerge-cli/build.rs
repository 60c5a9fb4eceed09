//! Embeds the explorer's page in the command, if the page was built (scripts/wasm).

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let web = here.join("../../web");
    // In a published package the page is next to the sources; in the repository the script builds
    // it into web/.
    let places = [here.join("page/index.html"), web.join("dist/index.html")];
    println!("cargo:rerun-if-changed=build.rs");
    // For a path that does not exist, Cargo would run this at every build; so without a page,
    // watch the folder in which one will appear.
    match places.iter().find(|place| place.exists()) {
        Some(place) => println!("cargo:rerun-if-changed={}", place.display()),
        None if web.exists() => println!("cargo:rerun-if-changed={}", web.display()),
        None => {}
    }
    let page = places.iter().find_map(|place| fs::read(place).ok()).unwrap_or_default();
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default()).join("page.html");
    // Do not rewrite an unchanged page: that would recompile the command.
    if fs::read(&out).is_ok_and(|kept| kept == page) {
        return;
    }
    if let Err(error) = fs::write(&out, page) {
        println!("cargo:warning={}: {error}", out.display());
    }
}
