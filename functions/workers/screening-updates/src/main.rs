queue_worker::main!(screening_updates::Worker);
