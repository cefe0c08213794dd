//! What an override keeps and what it loses (tflint.md, sections 3 and 4). Most rules are compared with a plain model;
//! these are the records of what was replaced, and the notes about what is dropped silently.

use serde_json::json;

use super::{merged, plain};

#[tokio::test]
async fn only_later_files_see_the_blocks_that_a_file_adds() {
    let answer = merged(json!({
        "main.tf": "locals {\n  a = 1\n}\nlocals {\n  b = 1\n}\n",
        // The second block of this file does not see what the first one adds.
        "a_override.tf": "locals {\n  c = 2\n}\nlocals {\n  c = 3\n  a = 3\n}\n",
        "b_override.tf": "locals {\n  c = 4\n}\n",
    }))
    .await;
    assert_eq!(plain(&answer), "locals { a=3; }\nlocals { b=1; }\nlocals { c=4; }\nlocals { c=4; }\n");
}
