queue_worker::main!(mail_feedback::Worker);
