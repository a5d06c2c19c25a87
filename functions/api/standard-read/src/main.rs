http_service::main!(standard_read::api);
