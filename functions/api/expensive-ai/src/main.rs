http_service::main!(expensive_ai::api);
