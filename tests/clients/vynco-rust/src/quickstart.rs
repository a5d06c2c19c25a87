//! The example of README.md. `.ci/readme.py` compares both.

use vynco::VyncoError;

use crate::{Checked, OrFail, Server, check};

pub async fn quickstart_of_the_readme(server: &Server) -> Checked {
    let key = server.local["keys"]["starter"].as_str().expect("a key");
    let company = read(key, server.url()).await.or_fail()?;
    check(company.name == "Ostvera Energie AG", &company)
}

async fn read(key: &str, url: &str) -> Result<vynco::Company, VyncoError> {
    let client = vynco::Client::builder(key).base_url(url).build()?;
    let company = client.companies().get("CHE-812.460.660").await?.data;
    Ok(company)
}
