//! snarkjs, asked through one long-lived process.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::places::repository;

/// A running snarkjs.
#[derive(Debug)]
pub struct Judge {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Judge {
    /// Starts it.
    ///
    /// # Panics
    /// snarkjs is not installed: `cargo xtask snarkjs` does that.
    pub fn start() -> Self {
        let tools = std::env::var_os("INTERLOCK_NODE_TOOLS")
            .map_or_else(|| repository().join("target/tools/node/node_modules"), PathBuf::from);
        assert!(
            tools.join("snarkjs").is_dir(),
            "snarkjs is not in {}: run `cargo xtask snarkjs`",
            tools.display()
        );
        let mut child = Command::new("node")
            .arg(repository().join("tests/tools/judge.mjs"))
            .env("INTERLOCK_NODE_TOOLS", tools)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("its output is piped"));
        Self { child, requests, answers }
    }

    /// Whether snarkjs accepts a proof.
    pub fn verifies(&mut self, vk: &Path, public: &Path, proof: &Path) -> bool {
        self.ask(&json!({ "op": "verify", "vk": vk, "public": public, "proof": proof }))
    }

    /// Has snarkjs prove.
    pub fn prove(&mut self, zkey: &Path, wtns: &Path, proof: &Path, public: &Path) {
        assert!(
            self.ask(&json!({ "op": "prove", "zkey": zkey, "wtns": wtns, "proof": proof, "public": public }))
        );
    }

    /// Has snarkjs export a verification key.
    pub fn vkey(&mut self, zkey: &Path, out: &Path) {
        assert!(self.ask(&json!({ "op": "vkey", "zkey": zkey, "out": out })));
    }

    fn ask(&mut self, request: &Value) -> bool {
        let requests = self.requests.as_mut().expect("open until dropped");
        writeln!(requests, "{request}").expect("snarkjs listens");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("snarkjs answers");
        let answer: Value = serde_json::from_str(&line).expect("an answer is JSON");
        answer["ok"].as_bool().unwrap_or_else(|| panic!("snarkjs: {request}: {answer}"))
    }
}

impl Drop for Judge {
    fn drop(&mut self) {
        // The process ends at the end of its input.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}
