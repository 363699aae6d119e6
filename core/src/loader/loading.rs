//! How a program loads libraries: under which policies, and whether they are opened in a child process first.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::error::LoadError;
use super::manifest::Manifest;
use super::policy::{Policy, Require};
use super::prober::Prober;
use super::sealed::Image;
use super::signature::{Signature, Signed, VendorKey};
use super::{Trust, doors, elf, permissions};
use crate::backend::{Origin, Plugin};

/// Loads libraries. The default has no policy, which restricts nothing, and no prober, so that a library's code runs in this
/// process at once.
#[derive(Clone, Debug, Default)]
pub struct Loader {
    policies: Vec<Policy>,
    prober: Option<Prober>,
}

/// A plugin that was loaded.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The plugin.
    pub plugin: Arc<Plugin>,
    /// Who signed its library.
    pub signed: Signed,
}

/// What is to be loaded, and how.
pub(super) struct Request<'a> {
    /// The library.
    pub(super) path: &'a Path,
    /// Whether it needs a manifest.
    pub(super) trust: Trust,
    /// The signature instead of the one that is found.
    pub(super) signature: Option<Signature>,
    /// Whether it must be signed by a trusted key, whatever the policies say.
    pub(super) signed: bool,
}

impl Loader {
    /// With a policy more. A library must be admitted by each of them.
    #[must_use]
    pub fn with_policy(mut self, policy: Policy) -> Self {
        self.policies.push(policy);
        self
    }

    /// With a prober: unknown libraries are opened in a child process first.
    #[must_use]
    pub fn with_prober(self, prober: Prober) -> Self {
        Self { prober: Some(prober), ..self }
    }

    /// Loads the plugin in a library file.
    ///
    /// In order: permissions, manifest, a sealed copy, its hash against the manifest's, its signature, the policies, a look
    /// at the ELF structure, the prober, opening the copy, the table, and the name and version that it reports against the
    /// manifest's. Up to the prober, none of its code runs. A library whose bytes were loaded before gives the same plugin
    /// again.
    ///
    /// The signature is the manifest's, or in a file beside a library without a manifest. One by a trusted key must be right,
    /// be it required or not; one by a key that nobody trusts counts as none.
    ///
    /// # Errors
    /// Each step has its reason in [`LoadError`].
    pub fn load(&self, path: &Path, trust: Trust) -> Result<Loaded, LoadError> {
        self.load_as(Request { path, trust, signature: None, signed: false })
    }

    pub(super) fn load_as(&self, request: Request<'_>) -> Result<Loaded, LoadError> {
        let path = request.path;
        let path = path.canonicalize().map_err(|source| LoadError::io(path, "find", source))?;
        permissions::check(&path)?;
        let manifest = Manifest::beside(&path)?;
        if manifest.is_none() && request.trust == Trust::Manifest {
            return Err(LoadError::Unsigned { manifest: Manifest::path_for(&path) });
        }
        if let Some(manifest) = &manifest {
            manifest.check_abi()?;
        }
        let image = Image::copy(&path)?;
        if let Some(manifest) = &manifest {
            manifest.check_hash(image.sha256())?;
        }
        let signature = match (request.signature, &manifest) {
            (Some(signature), _) => Some(signature),
            (None, Some(manifest)) => manifest.signature()?,
            (None, None) => Signature::beside(&path)?,
        };
        let signed = self.signer(&image, signature.as_ref())?;
        if request.signed {
            let policy = Policy {
                require: Require::Signature,
                keys: self.trusted().cloned().collect(),
                place: Some("--require-signature".into()),
                ..Policy::default()
            };
            policy.admit(image.sha256(), &signed)?;
        }
        self.admit(&image, &signed)?;
        let plugin = self.open(image, &path)?;
        if let Some(manifest) = &manifest {
            manifest.check_info(plugin.info())?;
        }
        Ok(Loaded { plugin, signed })
    }

    /// Who signed a library, as far as the keys of the policies tell.
    ///
    /// # Errors
    /// The signature is wrong.
    pub fn signer(&self, image: &Image, signature: Option<&Signature>) -> Result<Signed, LoadError> {
        match signature {
            None => Ok(Signed::No),
            Some(signature) => signature.check(image.bytes()?.as_ref(), self.trusted()),
        }
    }

    /// Whether all policies admit a library that is signed like this.
    ///
    /// # Errors
    /// The first refusal.
    pub fn admit(&self, image: &Image, signed: &Signed) -> Result<(), LoadError> {
        self.policies.iter().try_for_each(|policy| policy.admit(image.sha256(), signed))
    }

    /// All keys whose signatures are trusted.
    fn trusted(&self) -> impl Iterator<Item = &VendorKey> {
        self.policies.iter().flat_map(Policy::trusted)
    }

    fn open(&self, image: Image, path: &Path) -> Result<Arc<Plugin>, LoadError> {
        let sha256 = *image.sha256();
        let known = |loaded: &[(&Image, Arc<Plugin>)]| {
            loaded.iter().find(|(image, _)| *image.sha256() == sha256).map(|(_, plugin)| Arc::clone(plugin))
        };
        if let Some(plugin) = known(&loaded_here()) {
            return Ok(plugin);
        }
        elf::check(image.bytes()?.as_ref())?;
        // Without the lock: it may take its time.
        if let Some(prober) = &self.prober {
            prober.probe(&image)?;
        }
        // With the lock over the whole opening: two threads must not open the same bytes twice.
        let mut loaded = loaded_here();
        if let Some(plugin) = known(&loaded) {
            return Ok(plugin);
        }
        let image = image.keep();
        let table = doors::open(image, &mut |_| ())?;
        let origin = Origin::File { path: path.to_owned(), sha256 };
        // SAFETY: the table comes from a library that is never unloaded; that its functions keep the contract is
        // what trusting a plugin means.
        let plugin = unsafe { Plugin::new(table, origin) }?;
        loaded.push((image, Arc::clone(&plugin)));
        Ok(plugin)
    }
}

/// What this process has loaded.
fn loaded_here() -> MutexGuard<'static, Vec<(&'static Image, Arc<Plugin>)>> {
    static LOADED: Mutex<Vec<(&'static Image, Arc<Plugin>)>> = Mutex::new(Vec::new());
    LOADED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bytes that a plugin was loaded from; none for one that is linked into the program.
pub fn image_of(plugin: &Arc<Plugin>) -> Option<&'static Image> {
    loaded_here().iter().find(|(_, other)| Arc::ptr_eq(plugin, other)).map(|(image, _)| *image)
}
