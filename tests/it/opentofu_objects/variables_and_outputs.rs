//! Variables and outputs: arguments by version, deprecations, constants, validations, defaults (opentofu.md, section 5).

use super::{ask, expression, notes, reported};

#[tokio::test]
async fn an_empty_deprecation_does_not_override_but_a_blank_one_does() {
    let main =
        "variable \"v\" {\n  deprecated = \"base\"\n}\noutput \"o\" {\n  value = 1\n  deprecated = \"base\"\n}\n";
    for (text, stays) in [("\"\"", "\"base\""), ("\"  \"", "\"  \""), ("var.x", "\"base\""), ("null", "\"base\"")] {
        let over =
            format!("variable \"v\" {{\n  deprecated = {text}\n}}\noutput \"o\" {{\n  deprecated = {text}\n}}\n");
        let answer = ask("1.11", &[("main.tf", main), ("override.tf", &over)]).await;
        assert_eq!(reported(&answer).len(), 2, "{:?}", reported(&answer));
        for address in ["var.v", "output.o"] {
            assert_eq!(expression(&answer, address, "deprecated"), stays, "{text} {address}");
        }
        let silent = notes(&answer);
        assert_eq!(silent.len(), if text == "\"\"" { 2 } else { 0 }, "{silent:?}");
    }
}
