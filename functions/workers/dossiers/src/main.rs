components::main!(queue_worker::serve::<dossiers::Worker>());
