components::main!(queue_worker::serve::<screening_updates::Worker>());
