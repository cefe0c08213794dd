//! Settings of the service, from flags and the environment.
