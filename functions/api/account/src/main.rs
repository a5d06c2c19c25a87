http_service::main!(account::api);
