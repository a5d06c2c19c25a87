components::main!(http_service::serve(public::api));
