//! Rules of the dialect `tflint` that no recorded case shows (tflint.md).

mod model;
