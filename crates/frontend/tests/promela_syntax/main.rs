//! The syntax of Promela.

mod data;
