components::main!(queue_worker::serve::<saved_searches::Worker>());
