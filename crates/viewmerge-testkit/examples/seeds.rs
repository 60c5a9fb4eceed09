//! `seeds unpack TARGET`, `seeds pack TARGET FOLDER`: see `viewmerge_testkit::seeds`.

use std::path::Path;

use viewmerge_testkit::seeds;

fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["unpack", target] => println!("{target}: {} inputs", seeds::unpack(target)?),
        ["pack", target, from] => {
            println!("{target}: {} inputs", seeds::pack(target, Path::new(from))?);
        }
        _ => eprintln!("usage: seeds unpack TARGET | seeds pack TARGET FOLDER"),
    }
    Ok(())
}
