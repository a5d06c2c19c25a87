components::main!(queue_worker::serve::<ingest::Worker>());
