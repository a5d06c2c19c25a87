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
    ReEnteredInLiquidation "Wiedereintragung zur Liquidation" "réinscription en vue de la liquidation" "reiscrizione in vista della liquidazione" "re-entry for liquidation"
    SeatMovedIn "Eintragung im Register des neuen Sitzes" "inscription au registre du nouveau siège" "iscrizione nel registro della nuova sede" "entry in the register of the new seat"
    SeatMovedOut "Löschung im Register des bisherigen Sitzes" "radiation au registre de l’ancien siège" "cancellazione nel registro della sede precedente" "deletion from the register of the former seat"
    MovedAbroad "Löschung nach Verlegung des Sitzes ins Ausland" "radiation à la suite du transfert du siège à l’étranger" "cancellazione in seguito al trasferimento della sede all’estero" "deletion after the seat moved abroad"
    BranchEntered "Eintragung einer Zweigniederlassung" "inscription d’une succursale" "iscrizione di una succursale" "entry of a branch"
    BranchClosed "Löschung einer Zweigniederlassung" "radiation d’une succursale" "cancellazione di una succursale" "deletion of a branch"
    NoDomicile "fehlendes Rechtsdomizil" "absence de domicile" "mancanza del domicilio legale" "lack of a legal domicile"
    DomicileRestored "Wiederherstellung des Rechtsdomizils" "rétablissement du domicile" "ripristino del domicilio legale" "legal domicile restored"
    NoAuditor "fehlende Revisionsstelle" "absence d’organe de révision" "mancanza dell’ufficio di revisione" "lack of an auditor"
    BoardEmptied "keine eingetragenen Organe und Zeichnungsberechtigten mehr" "plus d’organes ni de personnes autorisées à signer inscrits" "nessun organo né persona autorizzata a firmare ancora iscritti" "no officers or signatories left"
    ControlPasses "Wechsel aller Zeichnungsberechtigten" "changement de toutes les personnes autorisées à signer" "cambiamento di tutte le persone autorizzate a firmare" "change of all signatories"
    SoleSignatory "nur noch eine zeichnungsberechtigte Person" "une seule personne encore autorisée à signer" "una sola persona ancora autorizzata a firmare" "only one signatory left"
    MajorityPasses "Übergang der Mehrheit der Stammanteile" "transfert de la majorité des parts sociales" "trasferimento della maggioranza delle quote sociali" "transfer of the majority of the shares"
    PersonalDataChanged "Änderung von Personalien" "modification de données personnelles" "modifica di dati personali" "change of personal data"
    BearerSharesConverted "Umwandlung von Inhaberaktien in Namenaktien" "conversion d’actions au porteur en actions nominatives" "conversione di azioni al portatore in azioni nominative" "conversion of bearer shares into registered shares"
    BearerSharesCreated "Umwandlung von Namenaktien in Inhaberaktien" "conversion d’actions nominatives en actions au porteur" "conversione di azioni nominative in azioni al portatore" "conversion of registered shares into bearer shares"
    SharesSplit "Aktiensplit" "division des actions" "frazionamento delle azioni" "share split"
    SharesConsolidated "Zusammenlegung von Aktien" "regroupement d’actions" "raggruppamento di azioni" "consolidation of shares"
    CapitalBand "Kapitalband oder genehmigtes Kapital" "marge de fluctuation du capital ou capital autorisé" "margine di variazione del capitale o capitale autorizzato" "capital band or authorised capital"
    CapitalBandEnded "Ende des Kapitalbands oder genehmigten Kapitals" "fin de la marge de fluctuation du capital ou du capital autorisé" "fine del margine di variazione del capitale o del capitale autorizzato" "end of the capital band or authorised capital"
    ConditionalCapital "bedingtes Kapital" "capital conditionnel" "capitale condizionale" "conditional capital"
    ConditionalCapitalEnded "Ende des bedingten Kapitals" "fin du capital conditionnel" "fine del capitale condizionale" "end of the conditional capital"
    Contribution "Sacheinlage oder Sachübernahme" "apport en nature ou reprise de biens" "conferimento in natura o assunzione di beni" "contribution in kind or acquisition of assets"
    BranchClosureBlocked "Löschung einer Zweigniederlassung noch nicht möglich" "radiation d’une succursale pas encore possible" "cancellazione di una succursale non ancora possibile" "deletion of a branch not possible yet"
    DeletionBlocked "Löschung noch nicht möglich" "radiation pas encore possible" "cancellazione non ancora possibile" "deletion not possible yet"
    DissolvedByResolution "Auflösung durch Beschluss" "dissolution par décision" "scioglimento per decisione" "dissolution by a resolution"
    DissolvedByCourt "Auflösung durch das Gericht" "dissolution par le tribunal" "scioglimento da parte del giudice" "dissolution by a court"
    DissolvedForDefect "Auflösung durch das Gericht wegen Mängeln in der Organisation" "dissolution par le tribunal pour carences dans l’organisation" "scioglimento da parte del giudice per lacune nell’organizzazione" "dissolution by a court for defects in the organisation"
    DissolvedWithoutDomicile "Auflösung von Amtes wegen mangels Rechtsdomizil" "dissolution d’office faute de domicile" "scioglimento d’ufficio per mancanza del domicilio legale" "dissolution ex officio for lack of a legal domicile"
    DissolutionRevoked "Widerruf der Auflösung" "révocation de la dissolution" "revoca dello scioglimento" "revocation of the dissolution"
    LiquidationCompleted "Abschluss der Liquidation" "clôture de la liquidation" "chiusura della liquidazione" "completion of the liquidation"
    BankruptcyOpened "Konkurseröffnung" "ouverture de la faillite" "apertura del fallimento" "opening of bankruptcy proceedings"
    BankruptcyRevoked "Widerruf des Konkurses" "révocation de la faillite" "revoca del fallimento" "revocation of the bankruptcy"
    BankruptcyStayed "aufschiebende Wirkung der Beschwerde gegen den Konkurs" "effet suspensif du recours contre la faillite" "effetto sospensivo del reclamo contro il fallimento" "suspensive effect of an appeal against the bankruptcy"
    BankruptcyPostponed "Konkursaufschub" "ajournement de la faillite" "differimento del fallimento" "postponement of the bankruptcy"
    BankruptcyPostponementEnded "Ende des Konkursaufschubs" "fin de l’ajournement de la faillite" "fine del differimento del fallimento" "end of the postponement of the bankruptcy"
    ProceedingsSuspended "Einstellung des Konkursverfahrens mangels Aktiven" "suspension de la procédure de faillite faute d’actif" "sospensione della procedura di fallimento per mancanza di attivo" "suspension of the bankruptcy proceedings for lack of assets"
    ProceedingsResumed "Wiederaufnahme des Konkursverfahrens" "reprise de la procédure de faillite" "ripresa della procedura di fallimento" "resumption of the bankruptcy proceedings"
    ProceedingsClosed "Schluss des Konkurs- oder Liquidationsverfahrens" "clôture de la procédure de faillite ou de liquidation" "chiusura della procedura di fallimento o di liquidazione" "closing of the bankruptcy or liquidation proceedings"
    MoratoriumGranted "Nachlassstundung" "sursis concordataire" "moratoria concordataria" "moratorium"
    MoratoriumProvisional "provisorische Nachlassstundung" "sursis concordataire provisoire" "moratoria concordataria provvisoria" "provisional moratorium"
    MoratoriumDefinitive "definitive Nachlassstundung" "sursis concordataire définitif" "moratoria concordataria definitiva" "definitive moratorium"
    MoratoriumExtended "Verlängerung der Nachlassstundung" "prolongation du sursis concordataire" "proroga della moratoria concordataria" "extension of the moratorium"
    MoratoriumEnded "Ende der Nachlassstundung" "fin du sursis concordataire" "fine della moratoria concordataria" "end of the moratorium"
    CompositionConfirmed "Bestätigung des Nachlassvertrags" "homologation du concordat" "omologazione del concordato" "confirmation of the composition agreement"
    CompositionWithAssignment "Bestätigung des Nachlassvertrags mit Vermögensabtretung" "homologation du concordat par abandon d’actif" "omologazione del concordato con abbandono dell’attivo" "confirmation of the composition agreement with assignment of assets"
    Absorbs "Fusion, Übernahme von" "fusion, reprise de" "fusione, ripresa di" "merger, takeover of"
    IsAbsorbed "Fusion, Übernahme durch" "fusion, reprise par" "fusione, ripresa da parte di" "merger, takeover by"
    Combines "Gründung durch Fusion von" "constitution par fusion de" "costituzione mediante fusione di" "foundation by a merger of"
    SplitsUp "Aufspaltung, Vermögen übertragen an" "division, patrimoine transféré à" "divisione, patrimonio trasferito a" "split-up, assets transferred to"
    SpinsOff "Abspaltung, Vermögensteile übertragen an" "séparation, parts de patrimoine transférées à" "separazione, parti di patrimonio trasferite a" "spin-off, part of the assets transferred to"
    ReceivesByDemerger "Spaltung, Vermögen übernommen von" "scission, patrimoine repris de" "scissione, patrimonio ripreso da" "demerger, assets taken over from"
    TransfersAssets "Vermögensübertragung an" "transfert de patrimoine à" "trasferimento di patrimonio a" "transfer of assets to"
    ReceivesAssets "Vermögensübertragung von" "transfert de patrimoine de" "trasferimento di patrimonio da" "transfer of assets from"
    DeletedAfterLiquidation "Löschung nach Abschluss der Liquidation" "radiation après la clôture de la liquidation" "cancellazione dopo la chiusura della liquidazione" "deletion after the liquidation"
    DeletedAfterBankruptcy "Löschung nach Schluss des Konkursverfahrens" "radiation après la clôture de la faillite" "cancellazione dopo la chiusura del fallimento" "deletion after the bankruptcy was closed"
    DeletedWithoutAssets "Löschung mangels Aktiven" "radiation faute d’actifs" "cancellazione per mancanza di attivi" "deletion for lack of assets"
    DeletedByMerger "Löschung infolge Fusion" "radiation par suite de fusion" "cancellazione in seguito a fusione" "deletion after a merger"
    DeletedBySplitUp "Löschung infolge Aufspaltung" "radiation par suite de division" "cancellazione in seguito a divisione" "deletion after a split-up"
    DeletedBusinessCeased "Löschung wegen Aufgabe oder Übergangs des Geschäfts" "radiation par suite de cessation ou de transfert de l’activité" "cancellazione per cessazione o trasferimento dell’attività" "deletion because the business has ceased or passed on"
    DeletedExOfficio "Löschung von Amtes wegen" "radiation d’office" "cancellazione d’ufficio" "deletion ex officio"
    DeletedOnApplication "Löschung auf Antrag" "radiation sur réquisition" "cancellazione su richiesta" "deletion on application"
}
