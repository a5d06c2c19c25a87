queue_worker::main!(scheduler::Worker);
