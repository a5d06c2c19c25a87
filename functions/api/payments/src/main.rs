http_service::main!(payments::api);
