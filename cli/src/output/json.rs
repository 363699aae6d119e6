//! The one versioned object that `--json` prints.
//!
//! `{"interlock": 1, "command": …, "ok": …, …}`; when `ok` is false there is an `"error": {code, message, hint}`, whose
//! code is the exit code. Fields are only ever added under one version.

use serde::Serialize;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::errors::Failure;
use crate::output::clean;

/// Version of the object.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Envelope<'a, T: Serialize> {
    interlock: u32,
    command: &'a str,
    ok: bool,
    #[serde(flatten)]
    body: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Value>,
}

/// The object of a command that did what it was asked.
pub(crate) fn done(command: &str, body: impl Serialize) -> String {
    text(&Envelope { interlock: VERSION, command, ok: true, body, error: None })
}

/// The object of a command that failed.
pub(crate) fn failed(command: &str, failure: &Failure) -> String {
    failed_with(command, failure, json!({}))
}

/// The object of a command that has something to tell although the answer is no.
pub(crate) fn failed_with(command: &str, failure: &Failure, body: impl Serialize) -> String {
    let error = json!({ "code": failure.exit.code(), "message": failure.message, "hint": failure.hint });
    text(&Envelope { interlock: VERSION, command, ok: false, body, error: Some(error) })
}

fn text(value: &impl Serialize) -> String {
    // Maps with string keys, strings and numbers: nothing that JSON cannot say.
    let text = serde_json::to_string(value)
        .unwrap_or_else(|error| format!("{{\"interlock\":1,\"ok\":false,\"bug\":{:?}}}", error.to_string()));
    clean::json(&text)
}

/// Lower-case hex digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    interlock_core::loader::manifest::hex(bytes)
}

/// SHA-256 of bytes, in hex.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exit::Exit;

    #[test]
    fn the_envelope() {
        assert_eq!(
            done("verify", json!({"valid": true})),
            r#"{"interlock":1,"command":"verify","ok":true,"valid":true}"#
        );
        let failure = Failure { exit: Exit::Input, message: "it is \"bad\"".into(), hint: None };
        assert_eq!(
            failed("prove", &failure),
            r#"{"interlock":1,"command":"prove","ok":false,"error":{"code":3,"hint":null,"message":"it is \"bad\""}}"#
        );
    }
}
