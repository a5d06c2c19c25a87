components::main!(http_service::serve(bulk::api));
