queue_worker::main!(indexer::Worker);
