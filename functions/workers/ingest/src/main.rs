queue_worker::main!(ingest::Worker);
