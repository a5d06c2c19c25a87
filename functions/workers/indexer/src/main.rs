components::main!(queue_worker::serve::<indexer::Worker>());
