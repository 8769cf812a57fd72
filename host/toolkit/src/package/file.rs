/// Name of the manifest in an emitted folder.
pub const MANIFEST: &str = "manifest.json";

/// A file of an emitted folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageFile {
    /// Name within the folder.
    pub name: String,
    /// Its whole text.
    pub text: String,
}
