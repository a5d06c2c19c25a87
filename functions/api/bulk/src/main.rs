http_service::main!(bulk::api);
