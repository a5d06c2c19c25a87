queue_worker::main!(delivery::Worker);
