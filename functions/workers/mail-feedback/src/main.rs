components::main!(queue_worker::serve::<mail_feedback::Worker>());
