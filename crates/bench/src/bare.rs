//! The route that Octavo is compared with: actix-web, one JSON body, nothing else.

use actix_web::{App, HttpResponse, HttpServer, web};
use anyhow::{Context as _, Result};
use serde::Serialize;
use std::io::Write as _;

pub(crate) const PATH: &str = "/profile";

/// A body like that of a profile, padded to the wanted size.
#[derive(Clone, Debug, Serialize)]
struct Profile {
    id: &'static str,
    verified: bool,
    created_at: u64,
    name: String,
}

impl Profile {
    fn of(body_bytes: usize) -> Result<Self> {
        let short = Self { id: "1", verified: true, created_at: 1_700_000_000_000, name: String::new() };
        let bytes = serde_json::to_string(&short)?.len();
        let missing = body_bytes.checked_sub(bytes).context("no JSON body is that short")?;
        Ok(Self { name: "n".repeat(missing), ..short })
    }
}

/// Serves until the process is killed, with one worker per core, like Octavo by default.
pub(crate) fn serve(body_bytes: usize) -> Result<()> {
    let profile = Profile::of(body_bytes)?;
    actix_web::rt::System::new().block_on(async move {
        let app = move || App::new().app_data(web::Data::new(profile.clone())).route(PATH, web::get().to(answer));
        let server = HttpServer::new(app).bind(("127.0.0.1", 0))?;
        println!("http://{}", server.addrs()[0]);
        std::io::stdout().flush()?;
        server.run().await?;
        Ok(())
    })
}

async fn answer(profile: web::Data<Profile>) -> HttpResponse {
    HttpResponse::Ok().json(&**profile)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;

    #[test]
    fn a_body_has_exactly_the_wanted_size() {
        for bytes in [100, 417, 5000] {
            assert_eq!(serde_json::to_string(&Profile::of(bytes).unwrap()).unwrap().len(), bytes);
        }
        assert!(Profile::of(3).is_err());
    }
}
