//! Findings about files while they are read.

use super::found;

/// With very many imports of one address, each is compared with the first 64.
#[tokio::test]
async fn imports_of_one_address_name_a_bounded_number_of_others() {
    let text = "import {\n  to = a.b\n  id = \"i\"\n}\n".repeat(67) + "resource \"a\" \"b\" {}\n";
    let pairs = |found: Vec<String>| found.iter().filter(|line| line.contains(" -> ")).count();
    // The second to the 64th have 1 to 63 earlier ones; the other three are compared with 64.
    assert_eq!(pairs(found("terraform", &[("main.tf", &text)]).await), 63 * 64 / 2 + 3 * 64);
    let each = |at: usize| format!("import {{\n  to = a.b{at}\n  id = \"i\"\n}}\nresource \"a\" \"b{at}\" {{}}\n");
    let text: String = (0..67).map(each).collect();
    assert_eq!(pairs(found("terraform 1.5.0", &[("main.tf", &text)]).await), 63 * 64 / 2 + 3 * 64);
}

/// A file with many kinds of blocks is read like one with few.
#[tokio::test]
async fn every_kind_of_block_in_one_file() {
    let main = "resource \"a\" \"b\" {\n  lifecycle {\n    precondition {\n      condition     = a.b\n      error_message = \"\"\n    }\n  }\n  \
        connection {}\n  provisioner \"x\" {}\n}\ndata \"a\" \"c\" {}\nmodule \"m\" {\n  source = \"./m\"\n}\nvariable \"v\" {\n  default = 1\n  \
        validation {\n    condition     = var.v\n    error_message = \"\"\n  }\n}\noutput \"o\" {\n  value = 1\n}\nprovider \"p\" {}\nterraform {\n  \
        backend \"b\" {}\n}\nmoved {\n  from = a.x\n  to   = a.y\n}\nimport {\n  to = a.b\n  id = \"x\"\n}\nremoved {\n  from = a.z\n}\n\
        ephemeral \"e\" \"f\" {}\naction \"g\" \"h\" {}\ncheck \"d\" {\n  data \"x\" \"y\" {}\n  assert {\n    condition     = a.b\n    \
        error_message = \"\"\n  }\n}\n";
    assert_eq!(
        found("terraform", &[("main.tf", main)]).await,
        ["main.tf:4:23 error tool Invalid reference in precondition"]
    );
}

// The dialect `terraform-0.11`.
