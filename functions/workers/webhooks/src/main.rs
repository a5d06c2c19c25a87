queue_worker::main!(webhooks::Worker);
