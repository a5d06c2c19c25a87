use std::io::Read;

use domain::{
    Isin, Lei, Source,
    statements::gleif::{Entity, is_swiss_register},
};

use crate::{
    Rejected, Unreadable,
    gleif::{Day, level2::each, level2::rows},
    left_out::LeftOut,
    table::{Row, Table},
};

const LEI: &str = "LEI";
const NAME: &str = "Entity.LegalName";
const REGISTER: &str = "Entity.RegistrationAuthority.RegistrationAuthorityID";
const NUMBER: &str = "Entity.RegistrationAuthority.RegistrationAuthorityEntityID";

/// Number of columns for other names.
const OTHER_NAMES: usize = 5;

/// Reads level 1 row by row. Returns the entities in a Swiss register and those for which `wanted` is
/// true. Skips other rows without parsing them. An entity of which something cannot be read comes without it, and then the row
/// as rejected.
pub fn level1<R: Read>(
    reader: R,
    wanted: impl Fn(Lei) -> bool,
) -> Result<impl Iterator<Item = Result<Entity, Rejected>>, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Gleif, reason };
    let table = Table::open(reader, b',').map_err(unreadable)?;
    table.require(&[LEI, NAME, REGISTER, NUMBER]).map_err(unreadable)?;
    let [lei, register] = [LEI, REGISTER].map(|it| table.position(it).unwrap_or(usize::MAX));
    let is_wanted = move |row: &Row| {
        let text = |position| std::str::from_utf8(row.at(position)).unwrap_or_default().trim();
        is_swiss_register(text(register)) || text(lei).parse().is_ok_and(&wanted)
    };
    Ok(rows(table, is_wanted, entity))
}

fn entity(row: &Row, left_out: &mut LeftOut) -> Result<Entity, String> {
    let (lei, legal_name) = (row.parsed(LEI)?.ok_or("LEI: is empty")?, row.required(NAME)?);
    let owned = |name: &str| row.text(name).map(|it| it.map(str::to_owned));
    let (registered_at, registered_as) = (owned(REGISTER)?, owned(NUMBER)?);
    let mut other_names = std::collections::BTreeSet::new();
    for number in 1..=OTHER_NAMES {
        let name = format!("Entity.OtherEntityNames.OtherEntityName.{number}");
        other_names.extend(row.optional::<String>(&name, left_out));
    }
    let mut date = |name| row.optional::<Day>(name, left_out).map(|it| it.0);
    let (creation_date, last_update) =
        (date("Entity.EntityCreationDate"), date("Registration.LastUpdateDate"));
    let (initial_registration, next_renewal) =
        (date("Registration.InitialRegistrationDate"), date("Registration.NextRenewalDate"));
    Ok(Entity {
        lei,
        legal_name: legal_name.to_owned(),
        other_names,
        jurisdiction: row.optional("Entity.LegalJurisdiction", left_out),
        registered_at,
        registered_as,
        legal_form: row.optional("Entity.LegalForm.EntityLegalFormCode", left_out),
        category: row.optional("Entity.EntityCategory", left_out),
        status: row.optional("Entity.EntityStatus", left_out),
        creation_date,
        successor: row.optional("Entity.SuccessorEntity.1.SuccessorLEI", left_out),
        registration_status: row.optional("Registration.RegistrationStatus", left_out),
        initial_registration,
        last_update,
        next_renewal,
        isins: Default::default(),
        has_many_isins: false,
        group: None,
    })
}

/// Reads the table of securities row by row. Returns the LEI and ISIN of the entities for which `wanted`
/// is true.
pub fn isins<R: Read>(
    reader: R,
    wanted: impl Fn(Lei) -> bool,
) -> Result<impl Iterator<Item = Result<(Lei, Isin), Rejected>>, Unreadable> {
    each(reader, [LEI], &[LEI, "ISIN"], wanted, |row, _| {
        let lei = row.parsed(LEI)?.ok_or("LEI: is empty")?;
        Ok((lei, row.parsed("ISIN")?.ok_or("ISIN: is empty")?))
    })
}
