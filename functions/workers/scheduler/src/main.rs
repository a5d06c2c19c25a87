components::main!(queue_worker::serve::<scheduler::Worker>());
