//! Local analysis against the definitions, and what the literature says about its models.

mod literature;
mod models;
mod naive;
mod random;
