queue_worker::main!(bulk_export::Worker);
