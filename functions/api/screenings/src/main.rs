http_service::main!(screenings::api);
