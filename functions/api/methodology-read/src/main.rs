components::main!(http_service::serve(methodology_read::api));
