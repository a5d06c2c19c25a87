http_service::main!(methodology_read::api);
