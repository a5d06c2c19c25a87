queue_worker::main!(dossiers::Worker);
