//! The names of legal events in four languages, in the terms of Swiss law. A missing name does not compile.

use super::{Text, change};
use crate::{ChangeKind, changes::LegalEvent};

/// A text in each language for each legal event.
macro_rules! legal_events {
    ($($event:ident $de:literal $fr:literal $it:literal $en:literal)*) => {
        /// A legal event. The name of a merger, demerger or transfer is completed by that of the other company.
        pub fn legal_event(event: LegalEvent) -> Text {
            match event {
                // They say no more than the change type, so that the content of a change does not repeat it.
                LegalEvent::Entered => change(ChangeKind::NewRegistration),
                LegalEvent::ReEntered => change(ChangeKind::ReRegistration),
                LegalEvent::SeatMoved => change(ChangeKind::SeatChange),
                LegalEvent::Converted => change(ChangeKind::LegalFormChange),
                LegalEvent::Deleted => change(ChangeKind::Deletion),
                $(LegalEvent::$event => [$de, $fr, $it, $en],)*
            }
        }
    };
}

legal_events! {
    ReEnteredInLiquidation "Wiedereintragung zur Liquidation" "Réinscription en vue de la liquidation" "Reiscrizione in vista della liquidazione" "Re-entry for liquidation"
    SeatMovedIn "Eintragung im Register des neuen Sitzes" "Inscription au registre du nouveau siège" "Iscrizione nel registro della nuova sede" "Entry in the register of the new seat"
    SeatMovedOut "Löschung im Register des bisherigen Sitzes" "Radiation au registre de l’ancien siège" "Cancellazione nel registro della sede precedente" "Deletion from the register of the former seat"
    MovedAbroad "Löschung nach Verlegung des Sitzes ins Ausland" "Radiation à la suite du transfert du siège à l’étranger" "Cancellazione in seguito al trasferimento della sede all’estero" "Deletion after the seat moved abroad"
    BranchEntered "Eintragung einer Zweigniederlassung" "Inscription d’une succursale" "Iscrizione di una succursale" "Entry of a branch"
    BranchClosed "Löschung einer Zweigniederlassung" "Radiation d’une succursale" "Cancellazione di una succursale" "Deletion of a branch"
    NoDomicile "Fehlendes Rechtsdomizil" "Absence de domicile" "Mancanza del domicilio legale" "Lack of a legal domicile"
    DomicileRestored "Wiederherstellung des Rechtsdomizils" "Rétablissement du domicile" "Ripristino del domicilio legale" "Legal domicile restored"
    NoAuditor "Fehlende Revisionsstelle" "Absence d’organe de révision" "Mancanza dell’ufficio di revisione" "Lack of an auditor"
    BoardEmptied "Keine eingetragenen Organe und Zeichnungsberechtigten mehr" "Plus d’organes ni de personnes autorisées à signer inscrits" "Nessun organo né persona autorizzata a firmare ancora iscritti" "No officers or signatories left"
    ControlPasses "Wechsel aller Zeichnungsberechtigten" "Changement de toutes les personnes autorisées à signer" "Cambiamento di tutte le persone autorizzate a firmare" "Change of all signatories"
    SoleSignatory "Nur noch eine zeichnungsberechtigte Person" "Une seule personne encore autorisée à signer" "Una sola persona ancora autorizzata a firmare" "Only one signatory left"
    MajorityPasses "Übergang der Mehrheit der Stammanteile" "Transfert de la majorité des parts sociales" "Trasferimento della maggioranza delle quote sociali" "Transfer of the majority of the shares"
    PersonalDataChanged "Änderung von Personalien" "Modification de données personnelles" "Modifica di dati personali" "Change of personal data"
    BearerSharesConverted "Umwandlung von Inhaberaktien in Namenaktien" "Conversion d’actions au porteur en actions nominatives" "Conversione di azioni al portatore in azioni nominative" "Conversion of bearer shares into registered shares"
    BearerSharesCreated "Umwandlung von Namenaktien in Inhaberaktien" "Conversion d’actions nominatives en actions au porteur" "Conversione di azioni nominative in azioni al portatore" "Conversion of registered shares into bearer shares"
    SharesSplit "Aktiensplit" "Division des actions" "Frazionamento delle azioni" "Share split"
    SharesConsolidated "Zusammenlegung von Aktien" "Regroupement d’actions" "Raggruppamento di azioni" "Consolidation of shares"
    CapitalBand "Kapitalband oder genehmigtes Kapital" "Marge de fluctuation du capital ou capital autorisé" "Margine di variazione del capitale o capitale autorizzato" "Capital band or authorised capital"
    CapitalBandEnded "Ende des Kapitalbands oder genehmigten Kapitals" "Fin de la marge de fluctuation du capital ou du capital autorisé" "Fine del margine di variazione del capitale o del capitale autorizzato" "End of the capital band or authorised capital"
    ConditionalCapital "Bedingtes Kapital" "Capital conditionnel" "Capitale condizionale" "Conditional capital"
    ConditionalCapitalEnded "Ende des bedingten Kapitals" "Fin du capital conditionnel" "Fine del capitale condizionale" "End of the conditional capital"
    Contribution "Sacheinlage oder Sachübernahme" "Apport en nature ou reprise de biens" "Conferimento in natura o assunzione di beni" "Contribution in kind or acquisition of assets"
    BranchClosureBlocked "Löschung einer Zweigniederlassung noch nicht möglich" "Radiation d’une succursale pas encore possible" "Cancellazione di una succursale non ancora possibile" "Deletion of a branch not possible yet"
    DeletionBlocked "Löschung noch nicht möglich" "Radiation pas encore possible" "Cancellazione non ancora possibile" "Deletion not possible yet"
    DissolvedByResolution "Auflösung durch Beschluss" "Dissolution par décision" "Scioglimento per decisione" "Dissolution by a resolution"
    DissolvedByCourt "Auflösung durch das Gericht" "Dissolution par le tribunal" "Scioglimento da parte del giudice" "Dissolution by a court"
    DissolvedForDefect "Auflösung durch das Gericht wegen Mängeln in der Organisation (Art. 731b OR)" "Dissolution par le tribunal pour carences dans l’organisation (art. 731b CO)" "Scioglimento da parte del giudice per lacune nell’organizzazione (art. 731b CO)" "Dissolution by a court for a defect in the organisation (art. 731b CO)"
    DissolvedWithoutDomicile "Auflösung von Amtes wegen mangels Rechtsdomizil" "Dissolution d’office faute de domicile" "Scioglimento d’ufficio per mancanza del domicilio legale" "Dissolution ex officio for lack of a legal domicile"
    DissolutionRevoked "Widerruf der Auflösung" "Révocation de la dissolution" "Revoca dello scioglimento" "Revocation of the dissolution"
    LiquidationCompleted "Abschluss der Liquidation" "Clôture de la liquidation" "Chiusura della liquidazione" "Completion of the liquidation"
    BankruptcyOpened "Konkurseröffnung" "Ouverture de la faillite" "Apertura del fallimento" "Opening of bankruptcy proceedings"
    BankruptcyRevoked "Widerruf des Konkurses" "Révocation de la faillite" "Revoca del fallimento" "Revocation of the bankruptcy"
    BankruptcyStayed "Aufschiebende Wirkung der Beschwerde gegen den Konkurs" "Effet suspensif du recours contre la faillite" "Effetto sospensivo del reclamo contro il fallimento" "Suspensive effect of an appeal against the bankruptcy"
    BankruptcyPostponed "Konkursaufschub" "Ajournement de la faillite" "Differimento del fallimento" "Postponement of the bankruptcy"
    BankruptcyPostponementEnded "Ende des Konkursaufschubs" "Fin de l’ajournement de la faillite" "Fine del differimento del fallimento" "End of the postponement of the bankruptcy"
    ProceedingsSuspended "Einstellung des Konkursverfahrens mangels Aktiven" "Suspension de la procédure de faillite faute d’actif" "Sospensione della procedura di fallimento per mancanza di attivo" "Suspension of the bankruptcy proceedings for lack of assets"
    ProceedingsResumed "Wiederaufnahme des Konkursverfahrens" "Reprise de la procédure de faillite" "Ripresa della procedura di fallimento" "Resumption of the bankruptcy proceedings"
    ProceedingsClosed "Schluss des Konkurs- oder Liquidationsverfahrens" "Clôture de la procédure de faillite ou de liquidation" "Chiusura della procedura di fallimento o di liquidazione" "Closing of the bankruptcy or liquidation proceedings"
    MoratoriumGranted "Nachlassstundung" "Sursis concordataire" "Moratoria concordataria" "Moratorium"
    MoratoriumProvisional "Provisorische Nachlassstundung" "Sursis concordataire provisoire" "Moratoria concordataria provvisoria" "Provisional moratorium"
    MoratoriumDefinitive "Definitive Nachlassstundung" "Sursis concordataire définitif" "Moratoria concordataria definitiva" "Definitive moratorium"
    MoratoriumExtended "Verlängerung der Nachlassstundung" "Prolongation du sursis concordataire" "Proroga della moratoria concordataria" "Extension of the moratorium"
    MoratoriumEnded "Ende der Nachlassstundung" "Fin du sursis concordataire" "Fine della moratoria concordataria" "End of the moratorium"
    CompositionConfirmed "Bestätigung des Nachlassvertrags" "Homologation du concordat" "Omologazione del concordato" "Confirmation of the composition agreement"
    CompositionWithAssignment "Bestätigung des Nachlassvertrags mit Vermögensabtretung" "Homologation du concordat par abandon d’actif" "Omologazione del concordato con abbandono dell’attivo" "Confirmation of the composition agreement with assignment of assets"
    Absorbs "Fusion, Übernahme von" "Fusion, reprise de" "Fusione, ripresa di" "Merger, takeover of"
    IsAbsorbed "Fusion, Übernahme durch" "Fusion, reprise par" "Fusione, ripresa da parte di" "Merger, takeover by"
    Combines "Gründung durch Fusion von" "Constitution par fusion de" "Costituzione mediante fusione di" "Foundation by a merger of"
    SplitsUp "Aufspaltung, Vermögen übertragen an" "Division, patrimoine transféré à" "Divisione, patrimonio trasferito a" "Split-up, assets transferred to"
    SpinsOff "Abspaltung, Vermögensteile übertragen an" "Séparation, parts de patrimoine transférées à" "Separazione, parti di patrimonio trasferite a" "Spin-off, part of the assets transferred to"
    ReceivesByDemerger "Spaltung, Vermögen übernommen von" "Scission, patrimoine repris de" "Scissione, patrimonio ripreso da" "Demerger, assets taken over from"
    TransfersAssets "Vermögensübertragung an" "Transfert de patrimoine à" "Trasferimento di patrimonio a" "Transfer of assets to"
    ReceivesAssets "Vermögensübertragung von" "Transfert de patrimoine de" "Trasferimento di patrimonio da" "Transfer of assets from"
    DeletedAfterLiquidation "Löschung nach Abschluss der Liquidation" "Radiation après la clôture de la liquidation" "Cancellazione dopo la chiusura della liquidazione" "Deletion after the liquidation"
    DeletedAfterBankruptcy "Löschung nach Schluss des Konkursverfahrens" "Radiation après la clôture de la faillite" "Cancellazione dopo la chiusura del fallimento" "Deletion after the bankruptcy was closed"
    DeletedWithoutAssets "Löschung mangels Aktiven" "Radiation faute d’actifs" "Cancellazione per mancanza di attivi" "Deletion for lack of assets"
    DeletedByMerger "Löschung infolge Fusion" "Radiation par suite de fusion" "Cancellazione in seguito a fusione" "Deletion after a merger"
    DeletedBySplitUp "Löschung infolge Aufspaltung" "Radiation par suite de division" "Cancellazione in seguito a divisione" "Deletion after a split-up"
    DeletedBusinessCeased "Löschung wegen Aufgabe oder Übergangs des Geschäfts" "Radiation par suite de cessation ou de transfert de l’activité" "Cancellazione per cessazione o trasferimento dell’attività" "Deletion because the business has ceased or passed on"
    DeletedExOfficio "Löschung von Amtes wegen" "Radiation d’office" "Cancellazione d’ufficio" "Deletion ex officio"
    DeletedOnApplication "Löschung auf Antrag" "Radiation sur réquisition" "Cancellazione su richiesta" "Deletion on application"
}
