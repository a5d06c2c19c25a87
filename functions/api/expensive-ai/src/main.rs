components::main!(http_service::serve(expensive_ai::api));
