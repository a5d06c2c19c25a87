queue_worker::main!(saved_searches::Worker);
