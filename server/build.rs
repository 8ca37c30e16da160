//! Builds anew when the web app's build changes: what is in the binary is what is in `web/dist`.

fn main() {
    // A folder that is not there would count as changed every time.
    let _ = std::fs::create_dir_all("../web/dist");
    println!("cargo:rerun-if-changed=../web/dist");
    println!("cargo:rerun-if-changed=build.rs");
}
