http_service::main!(search_read::api);
