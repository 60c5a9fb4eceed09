//! `viewmerge plan` on small models.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_viewmerge")).args(arguments).output().expect("runs")
}

fn model(name: &str) -> String {
    format!("{}/../../testdata/plan/{name}.onnx", env!("CARGO_MANIFEST_DIR"))
}

/// A temporary folder.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("viewmerge-plan-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("is made");
        Folder(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// For every model and target: plans, emits, plans the result again, and certifies.
#[test]
fn planned_models_need_no_further_plan() {
    let folder = Folder::new("again");
    let rows = [
        ("pixelshuffle", "onnx", 2, 49_152, 2, 49_152),
        ("shufflenetv2", "onnx", 4, 393_216, 0, 0),
        ("shufflenetv2", "ort-cpu", 4, 393_216, 0, 0),
        ("axial", "ort-cpu", 20, 458_752, 7, 114_688),
    ];
    for (name, target, copies, bytes, least_copies, least_bytes) in rows {
        let (emitted, proof, drawn) =
            (folder.file("e.onnx"), folder.file("c.json"), folder.file("p.svg"));
        let path = model(name);
        let arguments = [
            "plan",
            &path,
            "--target",
            target,
            "--emit",
            &emitted,
            "--certificate",
            &proof,
            "--draw",
            &drawn,
        ];
        let output = run(&[&arguments[..], &["--format", "json"]].concat());
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let found = json(&output);
        assert_eq!(
            found["now"],
            serde_json::json!({"copies": copies, "bytes": bytes}),
            "{name} {target}"
        );
        assert_eq!(
            found["least"],
            serde_json::json!({"copies": least_copies, "bytes": least_bytes}),
            "{name} {target}"
        );
        assert_eq!(found["copies"].as_array().map(Vec::len), Some(least_copies), "{name}");
        let members: Vec<&String> = found.as_object().expect("an object").keys().collect();
        assert_eq!(members, ["bound", "copies", "emitted", "least", "now"]);
        // The planned model has exactly the reported copies, and needs as many as the given one.
        if target == "onnx" {
            assert_eq!(found["emitted"], found["least"], "{name}");
        }
        let again = json(&run(&["plan", &emitted, "--target", target, "--format", "json"]));
        assert_eq!(again["now"], found["emitted"], "{name} {target}");
        assert_eq!(again["least"], found["least"], "{name} {target}");
        let verified = run(&["verify", &proof]);
        let said = String::from_utf8_lossy(&verified.stdout).into_owned();
        assert!(
            verified.status.success() && said.contains("none over them costs less"),
            "{name}: {said}"
        );
        let picture = fs::read_to_string(&drawn).expect("was drawn");
        assert!(picture.starts_with("<svg") && picture.matches("copy ").count() >= least_copies);
    }
}

#[test]
fn a_certificate_with_another_bound_is_refused() {
    let folder = Folder::new("tampered");
    let proof = folder.file("c.json");
    assert!(run(&["plan", &model("pixelshuffle"), "--certificate", &proof]).status.success());
    let text = fs::read_to_string(&proof).expect("was written");
    assert!(text.contains("\"bound\":49152"), "{text}");
    fs::write(&proof, text.replace("\"bound\":49152", "\"bound\":49153")).expect("is written");
    let output = run(&["verify", &proof]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stdout).contains("does not hold"));
}

#[test]
fn more_bytes_than_allowed_are_a_no() {
    let folder = Folder::new("most");
    let (path, emitted) = (model("shufflenetv2"), folder.file("e.onnx"));
    let status = |arguments: &[&str]| run(&[&["plan", &path], arguments].concat()).status.code();
    assert_eq!(status(&["--max-bytes", "393216"]), Some(0));
    assert_eq!(status(&["--max-bytes", "393215"]), Some(1));
    assert_eq!(status(&["--max-bytes", "0", "--emit", &emitted]), Some(0));
}

#[test]
fn mistakes_are_named() {
    let folder = Folder::new("mistakes");
    let (broken, table) = (folder.file("broken.onnx"), folder.file("t.toml"));
    let bytes = fs::read(model("pixelshuffle")).expect("a model");
    fs::write(&broken, &bytes[..bytes.len() / 2]).expect("is written");
    fs::write(&table, "name = \"mine\"\n[softmix]\nlast = 0\n").expect("is written");
    let path = model("pixelshuffle");
    let rows: [(&[&str], &str); 6] = [
        (&[&broken], "not an ONNX model: byte"),
        (&["nowhere.onnx"], "nowhere.onnx"),
        (&[&path, "--target", "tpu"], "tpu"),
        (&[&path, "--target", &table], "softmix"),
        (&[&path, "--target", "nowhere.toml"], "nowhere.toml"),
        (&[&path, "--emit", "/nowhere/out.onnx"], "/nowhere/out.onnx"),
    ];
    for (arguments, said) in rows {
        let output = run(&[&["plan"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(told.contains(said), "{told}");
    }
    assert!(!Path::new(&folder.file("broken.onnx.part")).exists());
}
