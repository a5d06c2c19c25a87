components::main!(http_service::serve(account::api));
