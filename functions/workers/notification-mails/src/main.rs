components::main!(queue_worker::serve::<notification_mails::Worker>());
