//! Local analysis against the definitions, and what the literature says about its models.

mod large;
mod literature;
mod models;
mod naive;
mod planted;
mod random;
mod systems;
