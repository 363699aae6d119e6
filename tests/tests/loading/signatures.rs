//! Vendors' signatures, through installing and loading.

use std::path::{Path, PathBuf};

use interlock_core::loader::{
    InstallOptions, LoadError, Loader, Manifest, Policy, Require, Signature, Signed, Trust,
};

use crate::vendor::Vendor;
use interlock_tests::shell::{build, private};

/// A loader that trusts these vendors.
fn trusting(vendors: &[&Vendor]) -> Loader {
    let keys = vendors.iter().map(|vendor| vendor.key()).collect();
    Loader::default().with_policy(Policy { keys, ..Policy::default() })
}

fn requiring(vendors: &[&Vendor]) -> Loader {
    let keys = vendors.iter().map(|vendor| vendor.key()).collect();
    Loader::default().with_policy(Policy { require: Require::Signature, keys, ..Policy::default() })
}

/// A library of its own in a folder of its own, and a folder to install to.
fn library(name: &str) -> (tempfile::TempDir, PathBuf, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let (source, target) = (root.path().join("source"), root.path().join("target"));
    for folder in [&source, &target] {
        std::fs::create_dir(folder).unwrap();
        private(folder);
    }
    let library = build(&source, &format!("lib{name}.so"), &[&format!("NAME=\"{name}\"")]);
    (root, library, target)
}

fn says(error: &LoadError, words: &str) {
    assert!(error.to_string().contains(words), "{error}");
}

#[test]
fn a_signature_goes_into_the_manifest_and_is_checked_at_every_load() {
    let (vendor, other) = (Vendor::new(), Vendor::new());
    let (_root, library, target) = library("signed-a");
    let minisig = vendor.sign_file(&library);
    let installed =
        trusting(&[&other, &vendor]).install(&library, &target, &InstallOptions::default()).unwrap();
    assert_eq!(installed.signed, Signed::By(vendor.key()));
    let manifest = Manifest::beside(&installed.library).unwrap().unwrap();
    assert_eq!(manifest.contents().signature.as_deref(), Some(&*std::fs::read_to_string(minisig).unwrap()));

    let load = |loader: &Loader| loader.load(&installed.library, Trust::Manifest).map(|loaded| loaded.signed);
    assert_eq!(load(&trusting(&[&vendor])).unwrap(), Signed::By(vendor.key()));
    assert_eq!(load(&requiring(&[&vendor])).unwrap(), Signed::By(vendor.key()));
    // Nobody trusts the key: the signature says nothing.
    assert_eq!(load(&Loader::default()).unwrap(), Signed::Unknown(vendor.key().id()));
    assert_eq!(load(&trusting(&[&other])).unwrap(), Signed::Unknown(vendor.key().id()));
    let error = load(&requiring(&[&other])).unwrap_err();
    says(&error, &format!("unknown key {}", vendor.key().id()));

    // A signature of other bytes, or half a one, in the place of the good one.
    let text = std::fs::read_to_string(&installed.manifest).unwrap();
    let mut contents = Manifest::parse(&text).unwrap();
    let mut with = |signature: String| {
        contents.signature = Some(signature);
        std::fs::write(&installed.manifest, toml::to_string(&contents).unwrap()).unwrap();
    };
    with(vendor.sign(b"something else"));
    says(&load(&trusting(&[&vendor])).unwrap_err(), "not a signature of this library");
    says(&load(&requiring(&[&vendor])).unwrap_err(), "not a signature of this library");
    // Who signs with another key does not pass for the vendor.
    with(other.sign(&std::fs::read(&library).unwrap()));
    says(&load(&requiring(&[&vendor])).unwrap_err(), "unknown key");
    with("untrusted comment: x\n".into());
    says(&load(&Loader::default()).unwrap_err(), "damaged, or not what minisign writes");
    with(String::new());
    says(&load(&Loader::default()).unwrap_err(), "signed-a.toml: it is damaged");
}

#[test]
fn a_bad_signature_is_not_installed_and_runs_no_code() {
    let vendor = Vendor::new();
    let (root, library, target) = library("signed-b");
    let trace = root.path().join("trace");
    let definition = format!("TRACE=\"{}\"", trace.display());
    let traced =
        interlock_tests::shell::misbehaving(library.parent().unwrap(), "libtraced.so", &[&definition]);
    let install = |loader: Loader, options: &InstallOptions| loader.install(&traced, &target, options);
    let plain = InstallOptions::default();
    let signed = InstallOptions { require_signature: true, ..InstallOptions::default() };

    says(&install(requiring(&[&vendor]), &plain).unwrap_err(), "it has no signature");
    says(&install(trusting(&[&vendor]), &signed).unwrap_err(), "--require-signature");
    let minisig = vendor.sign_file(&library);
    let of_other = InstallOptions { signature: Some(minisig), ..InstallOptions::default() };
    says(&install(trusting(&[&vendor]), &of_other).unwrap_err(), "not a signature of this library");
    let absent = InstallOptions { signature: Some("/absent.minisig".into()), ..InstallOptions::default() };
    assert!(matches!(install(trusting(&[&vendor]), &absent).unwrap_err(), LoadError::Io { .. }));
    let beside = Signature::path_for(&traced);
    for (garbage, words) in [(vec![b'x'; 100], "damaged"), (vec![b'x'; 5000], "at most 4096 bytes")] {
        std::fs::write(&beside, garbage).unwrap();
        says(&install(Loader::default(), &plain).unwrap_err(), words);
    }
    std::fs::remove_file(&beside).unwrap();
    std::fs::create_dir(&beside).unwrap();
    says(&install(Loader::default(), &plain).unwrap_err(), "not a file");
    std::fs::remove_dir(&beside).unwrap();
    assert_eq!(std::fs::read_dir(&target).unwrap().count(), 0, "nothing was installed");
    assert!(!trace.exists(), "its code has run");

    // What is named wins over what lies beside.
    std::fs::write(&beside, "garbage").unwrap();
    let named = root.path().join("named.minisig");
    std::fs::write(&named, vendor.sign(&std::fs::read(&traced).unwrap())).unwrap();
    let options = InstallOptions { signature: Some(named), require_signature: true };
    let installed = install(trusting(&[&vendor]), &options).unwrap();
    assert_eq!(installed.signed, Signed::By(vendor.key()));
    assert!(trace.exists());
}

#[test]
fn a_library_without_a_manifest_has_its_signature_beside_it() {
    let vendor = Vendor::new();
    let (_root, library, _) = library("signed-c");
    let load = |loader: Loader| loader.load(&library, Trust::Unsigned).map(|loaded| loaded.signed);
    says(&load(requiring(&[&vendor])).unwrap_err(), "it has no signature");
    let minisig = vendor.sign_file(&library);
    assert_eq!(load(requiring(&[&vendor])).unwrap(), Signed::By(vendor.key()));
    assert_eq!(load(Loader::default()).unwrap(), Signed::Unknown(vendor.key().id()));
    // A manifest that says nothing of one: what lies beside is of another time.
    let manifest = |library: &Path| Manifest::path_for(library);
    let target = tempfile::tempdir().unwrap();
    private(target.path());
    std::fs::rename(&minisig, minisig.with_extension("away")).unwrap();
    let installed = Loader::default().install(&library, target.path(), &InstallOptions::default()).unwrap();
    std::fs::copy(&installed.manifest, manifest(&library)).unwrap();
    std::fs::rename(minisig.with_extension("away"), &minisig).unwrap();
    assert_eq!(load(trusting(&[&vendor])).unwrap(), Signed::No);
    // But whoever installs it takes it along.
    let installed =
        trusting(&[&vendor]).install(&library, target.path(), &InstallOptions::default()).unwrap();
    assert_eq!(installed.signed, Signed::By(vendor.key()));
}
