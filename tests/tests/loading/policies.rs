//! Policies decide before a library is opened, whatever else vouches for it.

use interlock_core::loader::{
    Allowed, InstallOptions, LoadError, Loader, Policy, Prober, Registry, Require, SearchOptions, Status,
    Trust,
};
use interlock_tests::linked;
use interlock_tests::places::program;

use crate::vendor::Vendor;
use interlock_tests::shell::{misbehaving, private};

#[test]
fn what_is_not_allowed_is_not_opened_and_says_what_would_allow_it() {
    let vendor = Vendor::new();
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let definitions = ["NAME=\"allowed\"".to_owned(), format!("TRACE=\"{}\"", trace.display())];
    let definitions: Vec<&str> = definitions.iter().map(String::as_str).collect();
    let library = misbehaving(folder.path(), "liballowed.so", &definitions);
    vendor.sign_file(&library);
    let listing = |allow: Vec<Allowed>| Policy { allow: Some(allow), ..Policy::default() };
    let loader = |policy: Policy| Loader::default().with_policy(policy);
    let prober = Prober::new(program(), ["probe-backend-from-stdin"]);
    let load = |loader: &Loader| loader.load(&library, Trust::Unsigned);

    // Neither the flag nor the prober runs any of its code.
    let nothing = loader(listing(Vec::new())).with_prober(prober);
    let error = load(&nothing).unwrap_err();
    let LoadError::NotAllowed { sha256, signer: None, .. } = &error else { panic!("{error}") };
    let other = listing(vec![Allowed::Key(Vendor::new().key()), Allowed::Sha256([7; 32])]);
    assert!(matches!(load(&loader(other)).unwrap_err(), LoadError::NotAllowed { .. }));
    let unlisted = Policy { keys: vec![vendor.key()], ..listing(Vec::new()) };
    let error = load(&loader(unlisted)).unwrap_err();
    assert!(error.to_string().contains(&format!("\"key:{}\",", vendor.line())), "{error}");
    assert!(!trace.exists(), "its code has run");

    // The very words of the refusal.
    let by_hash = listing(vec![format!("sha256:{sha256}").parse().unwrap()]);
    let by_key = listing(vec![format!("key:{}", vendor.line()).parse().unwrap()]);
    for policy in [&by_hash, &by_key] {
        assert_eq!(load(&loader(policy.clone())).unwrap().plugin.name(), "allowed");
    }
    // Loaded before, but each loader has its own say.
    assert!(load(&nothing).is_err());
    // One that admits it does not outweigh one that does not.
    let strict = Policy { require: Require::Signature, ..Policy::default() };
    assert!(load(&loader(by_hash.clone()).with_policy(by_key.clone())).is_ok());
    assert!(load(&loader(by_hash.clone()).with_policy(listing(Vec::new()))).is_err());
    assert!(load(&loader(strict).with_policy(by_key.clone())).is_err());

    // A changed library is another one.
    let mut bytes = std::fs::read(&library).unwrap();
    bytes.push(0);
    std::fs::write(&library, bytes).unwrap();
    assert!(matches!(load(&loader(by_hash)).unwrap_err(), LoadError::NotAllowed { .. }));
    assert!(matches!(load(&loader(by_key)).unwrap_err(), LoadError::Signature { .. }));
}

#[test]
fn a_registry_refuses_what_its_loader_does_and_keeps_the_embedded_backend() {
    let (source, target) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    private(target.path());
    let library = misbehaving(source.path(), "libfound.so", &["NAME=\"found\""]);
    Loader::default().install(&library, target.path(), &InstallOptions::default()).unwrap();
    let search = SearchOptions { extra: vec![target.path().into()], ..SearchOptions::default() };
    let strict = Loader::default().with_policy(Policy { allow: Some(Vec::new()), ..Policy::default() });
    let mut registry = Registry::discover_with(strict.clone(), &search, &[linked()]);
    registry.load_all();
    let statuses: Vec<_> = registry.candidates().iter().map(|candidate| &candidate.status).collect();
    assert!(matches!(statuses[0], Status::Refused(LoadError::NotAllowed { .. })), "{statuses:?}");
    assert!(matches!(statuses[1], Status::Loaded(_)));
    let (selected, skipped) = registry.select(&"auto".parse().unwrap(), Trust::Unsigned).unwrap();
    assert_eq!((selected.len(), skipped.len()), (1, 1), "{skipped:?}");
    assert!(registry.load_file(&library, Trust::Unsigned).is_err());
    assert!(strict.install(&library, target.path(), &InstallOptions::default()).is_err());
}
