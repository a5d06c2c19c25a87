components::main!(queue_worker::serve::<webhooks::Worker>());
