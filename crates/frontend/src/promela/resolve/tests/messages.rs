//! What is said about mistakes.
