components::main!(http_service::serve(screenings::api));
