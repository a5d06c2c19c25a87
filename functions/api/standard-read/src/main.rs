components::main!(http_service::serve(standard_read::api));
