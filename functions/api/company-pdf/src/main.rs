components::main!(http_service::serve(company_pdf::api));
