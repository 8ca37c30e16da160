//! Who cleans what, in which order, and why.
