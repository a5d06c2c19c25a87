components::main!(http_service::serve(analytics_read::api));
