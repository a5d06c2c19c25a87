http_service::main!(public::api);
