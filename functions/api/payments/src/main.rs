components::main!(http_service::serve(payments::api));
