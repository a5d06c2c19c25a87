components::main!(http_service::serve(search_read::api));
