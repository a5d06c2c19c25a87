http_service::main!(company_pdf::api);
