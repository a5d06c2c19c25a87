queue_worker::main!(notification_mails::Worker);
