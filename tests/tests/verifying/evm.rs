//! The exported contract in an Ethereum virtual machine, and its calldata beside snarkjs'.
//!
//! Needs node 20 and npm; the compiler and the machine are installed under `target/tools/evm`. An older node (Debian 12
//! has 18) cannot run the machine: then these tests say so and check nothing.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::LazyLock;

use interlock_tests::places::repository;
use serde_json::{Value, json};

/// The oldest node that the machine runs on.
const OLDEST_NODE: u32 = 20;

#[allow(clippy::print_stderr, reason = "a check that is not made is said")]
fn notice(text: &str) {
    eprintln!("{text}");
}

/// A running `tests/tools/evm/evm.mjs`.
pub(crate) struct Evm {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

/// What a call came to.
#[derive(Debug)]
pub(crate) struct Called {
    pub(crate) accepted: bool,
    pub(crate) gas: u64,
}

impl Evm {
    /// Installs the tools if need be, and starts it. `None` when node is too old for them.
    ///
    /// # Panics
    /// There is no node: `cargo xtask test` installs it.
    pub(crate) fn start() -> Option<Self> {
        static INSTALLED: LazyLock<bool> = LazyLock::new(|| {
            let node = Command::new("node").arg("--version").output().expect("node is installed");
            let version = String::from_utf8_lossy(&node.stdout).trim().trim_start_matches('v').to_owned();
            let major = version.split('.').next().and_then(|major| major.parse::<u32>().ok());
            if major.is_none_or(|major| major < OLDEST_NODE) {
                notice(&format!(
                    "node {version} is too old for the EVM (it takes {OLDEST_NODE}): contract not checked"
                ));
                return false;
            }
            let status = Command::new("node").arg(script("install.mjs")).status();
            assert!(status.is_ok_and(|status| status.success()), "the EVM cannot be installed");
            true
        });
        if !*INSTALLED {
            return None;
        }
        let mut child = Command::new("node")
            .arg(script("evm.mjs"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("node starts");
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("its output is piped"));
        Some(Self { child, requests, answers })
    }

    /// snarkjs' calldata of a proof.
    pub(crate) fn snarkjs_calldata(&mut self, proof: &Path, public: &Path) -> String {
        let answer = self.ask(&json!({ "op": "calldata", "proof": proof, "public": public }));
        answer.as_str().expect("calldata is text").to_owned()
    }

    /// Compiles a contract without warnings and deploys it.
    pub(crate) fn deploy(&mut self, source: &str, name: &str) -> u64 {
        self.deploy_on(source, name, true)
    }

    /// The same on a chain that lacks the precompiles of BN254.
    pub(crate) fn deploy_without_precompiles(&mut self, source: &str, name: &str) -> u64 {
        self.deploy_on(source, name, false)
    }

    fn deploy_on(&mut self, source: &str, name: &str, precompiles: bool) -> u64 {
        let request = json!({ "op": "deploy", "source": source, "name": name, "precompiles": precompiles });
        self.ask(&request).as_u64().expect("a contract has a number")
    }

    /// Calls a contract.
    pub(crate) fn call(&mut self, contract: u64, calldata: &str) -> Called {
        let answer = self.ask(&json!({ "op": "call", "contract": contract, "calldata": calldata }));
        Called {
            accepted: answer["accepted"].as_bool().expect("an answer"),
            gas: answer["gas"].as_u64().expect("gas was used"),
        }
    }

    fn ask(&mut self, request: &Value) -> Value {
        let requests = self.requests.as_mut().expect("open until dropped");
        writeln!(requests, "{request}").expect("node listens");
        let mut line = String::new();
        self.answers.read_line(&mut line).expect("node answers");
        let mut answer: Value = serde_json::from_str(&line).expect("an answer is JSON");
        assert!(answer["error"].is_null(), "{}", answer["error"]);
        answer["ok"].take()
    }
}

impl Drop for Evm {
    fn drop(&mut self) {
        // The process ends at the end of its input.
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}

fn script(name: &str) -> std::path::PathBuf {
    repository().join("tests/tools/evm").join(name)
}
