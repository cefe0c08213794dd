//! Which workspace is selected.

use std::sync::Arc;

use overfold_base::files::{FileSet, Place};
use overfold_module::pipeline::{Request, RequestError};

/// The file in the root module that says which workspace is selected.
const SELECTION: &str = ".terraform/environment";

/// Returns the workspace that the environment of the request, or else the root module's own data, selects.
///
/// # Errors
/// Fails if the environment names a workspace that cannot exist.
pub(crate) fn selected(files: &FileSet, request: &Request) -> Result<Option<Arc<str>>, RequestError> {
    let env = request.variables.iter().flat_map(|variables| &variables.env);
    let given = env.rev().find(|(name, _)| name == "TF_WORKSPACE").map(|(_, text)| text.as_str());
    if let Some(given) = given.filter(|given| !given.is_empty()) {
        if !is_workspace_name(given) {
            return Err(RequestError::BadWorkspace(given.to_owned()));
        }
        return Ok(Some(Arc::from(given)));
    }
    let path = if request.root.is_empty() { SELECTION.to_owned() } else { format!("{}/{SELECTION}", request.root) };
    let Place::File(file) = files.look_up(&path) else { return Ok(None) };
    let text = String::from_utf8_lossy(&file.bytes);
    let name = text.trim();
    Ok((!name.is_empty()).then(|| Arc::from(name)))
}

/// Whether a workspace can have this name: it is not empty, and stays the same as a segment of a URL.
pub(crate) fn is_workspace_name(name: &str) -> bool {
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~$&+=:@".contains(&byte);
    !name.is_empty() && name.bytes().all(stays)
}
