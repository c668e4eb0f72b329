//! Generates the client from the description.

use openapi_to_rust::{
    CodeGenerator, DerivesConfig, GeneratorConfig, SchemaAnalyzer, config::BuildersSection, spec_source,
};
use std::{env, error::Error, fs, path::Path};

const DESCRIPTION: &str = "../../../docs/openapi.yaml";
/// Types that get `Default`, so that the program can leave out fields that it does not need.
const WITH_DEFAULT: [&str; 3] = ["NewCodeBlock", "NewHeading2Block", "NewTodoBlock"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={DESCRIPTION}");
    let description = spec_source::parse_spec(&fs::read_to_string(DESCRIPTION)?, DESCRIPTION)?;
    let mut analysis = SchemaAnalyzer::new(description)?.analyze()?;
    let derives = WITH_DEFAULT.map(|name| (name.to_owned(), vec!["Default".to_owned()]));
    let folder = Path::new(&env::var("OUT_DIR")?).join("octavo");
    let generator = CodeGenerator::new(GeneratorConfig {
        output_dir: folder.clone(),
        enable_sse_client: false,
        tracing_enabled: false,
        builders: BuildersSection { enabled: true, threshold: 0 },
        derives: DerivesConfig { types: derives.into(), ..DerivesConfig::default() },
        ..GeneratorConfig::default()
    });
    let client = generator.generate_all(&mut analysis)?;
    generator.write_files(&client)?;
    // `main.rs` includes this line, which makes the client one of its modules.
    let module = format!("#[allow(dead_code)]\n#[path = {:?}]\nmod octavo;\n", folder.join("mod.rs"));
    fs::write(folder.with_extension("rs"), module)?;
    Ok(())
}
