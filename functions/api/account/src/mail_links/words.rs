//! The texts of the links in mails with notifications.

use auth::Language;
use store::LinkPurpose;

use crate::pages::Asking;

pub(super) fn words(purpose: LinkPurpose, language: Language) -> Asking {
    let [title, question, button, done] = match (purpose, language) {
        (LinkPurpose::Unsubscribe, Language::De) => [
            "Meldungen von Gotthard",
            "Möchten Sie keine E-Mails mit diesen Meldungen mehr erhalten?",
            "Keine E-Mails mehr",
            "Sie erhalten keine E-Mails mit diesen Meldungen mehr.",
        ],
        (LinkPurpose::Unsubscribe, Language::Fr) => [
            "Notifications de Gotthard",
            "Souhaitez-vous ne plus recevoir d’e-mails avec ces notifications?",
            "Plus d’e-mails",
            "Vous ne recevrez plus d’e-mails avec ces notifications.",
        ],
        (LinkPurpose::Unsubscribe, Language::It) => [
            "Notifiche di Gotthard",
            "Desiderate non ricevere più e-mail con queste notifiche?",
            "Nessuna e-mail",
            "Non riceverete più e-mail con queste notifiche.",
        ],
        (LinkPurpose::Unsubscribe, Language::En) => [
            "Notifications from Gotthard",
            "Do you want to stop e-mails with these notifications?",
            "Unsubscribe",
            "You will not get e-mails with these notifications any more.",
        ],
        (LinkPurpose::Confirm, Language::De) => [
            "Meldungen von Gotthard",
            "Möchten Sie die Meldungen an diese E-Mail-Adresse erhalten?",
            "Adresse bestätigen",
            "Die Adresse ist bestätigt.",
        ],
        (LinkPurpose::Confirm, Language::Fr) => [
            "Notifications de Gotthard",
            "Souhaitez-vous recevoir les notifications à cette adresse e-mail?",
            "Confirmer l’adresse",
            "L’adresse est confirmée.",
        ],
        (LinkPurpose::Confirm, Language::It) => [
            "Notifiche di Gotthard",
            "Desiderate ricevere le notifiche a questo indirizzo e-mail?",
            "Confermare l’indirizzo",
            "L’indirizzo è confermato.",
        ],
        (LinkPurpose::Confirm, Language::En) => [
            "Notifications from Gotthard",
            "Do you want to get the notifications at this e-mail address?",
            "Confirm the address",
            "The address is confirmed.",
        ],
    };
    Asking { title, question, button, done }
}
