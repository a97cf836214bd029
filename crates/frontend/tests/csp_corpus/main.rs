//! The scripts of the corpus, whole and damaged: from the text to networks and specifications.

mod fuzz;
mod labels;
mod names;
mod support;
