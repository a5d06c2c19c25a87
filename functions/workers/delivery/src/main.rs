components::main!(queue_worker::serve::<delivery::Worker>());
