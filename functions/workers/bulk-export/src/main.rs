components::main!(queue_worker::serve::<bulk_export::Worker>());
