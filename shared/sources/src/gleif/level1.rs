use std::io::Read;

use statements::{
    Isin, Lei, Source,
    gleif::{Entity, is_swiss_register},
};

use crate::{
    Rejected, Unreadable,
    gleif::{day, level2::each},
    table::{Row, Table},
};

const LEI: &str = "LEI";
const NAME: &str = "Entity.LegalName";
const REGISTER: &str = "Entity.RegistrationAuthority.RegistrationAuthorityID";
const NUMBER: &str = "Entity.RegistrationAuthority.RegistrationAuthorityEntityID";

/// Number of columns for other names.
const OTHER_NAMES: usize = 5;

/// Reads level 1 row by row. Returns the entities in a Swiss register and those for which `wanted` is
/// true. Skips other rows without parsing them.
pub fn level1<R: Read>(
    reader: R,
    wanted: impl Fn(Lei) -> bool,
) -> Result<impl Iterator<Item = Result<Entity, Rejected>>, Unreadable> {
    let unreadable = |reason| Unreadable { source_name: Source::Gleif, reason };
    let mut table = Table::open(reader, b',').map_err(unreadable)?;
    table.require(&[LEI, NAME, REGISTER, NUMBER]).map_err(unreadable)?;
    let [lei, register] = [LEI, REGISTER].map(|it| table.position(it).unwrap_or(usize::MAX));
    Ok(std::iter::from_fn(move || {
        loop {
            let row = match table.next()? {
                Ok(row) => row,
                Err(broken) => return Some(Err(broken)),
            };
            let text = |position| std::str::from_utf8(row.at(position)).unwrap_or_default().trim();
            let is_wanted = || text(lei).parse().is_ok_and(&wanted);
            if is_swiss_register(text(register)) || is_wanted() {
                return Some(entity(&row).map_err(|reason| row.rejected(reason)));
            }
        }
    }))
}

fn entity(row: &Row) -> Result<Entity, String> {
    let owned = |name: &str| row.text(name).map(|it| it.map(str::to_owned));
    let date = |name: &str| {
        let date = row.text(name)?.map(day).transpose();
        date.map_err(|it| format!("{name}: {it}"))
    };
    let mut other_names = std::collections::BTreeSet::new();
    for number in 1..=OTHER_NAMES {
        let name = format!("Entity.OtherEntityNames.OtherEntityName.{number}");
        other_names.extend(owned(&name)?);
    }
    Ok(Entity {
        lei: row.parsed(LEI)?.ok_or("LEI: is empty")?,
        legal_name: row.required(NAME)?.to_owned(),
        other_names,
        jurisdiction: owned("Entity.LegalJurisdiction")?,
        registered_at: owned(REGISTER)?,
        registered_as: owned(NUMBER)?,
        legal_form: owned("Entity.LegalForm.EntityLegalFormCode")?,
        category: owned("Entity.EntityCategory")?,
        status: owned("Entity.EntityStatus")?,
        creation_date: date("Entity.EntityCreationDate")?,
        successor: row.parsed("Entity.SuccessorEntity.1.SuccessorLEI")?,
        registration_status: owned("Registration.RegistrationStatus")?,
        initial_registration: date("Registration.InitialRegistrationDate")?,
        last_update: date("Registration.LastUpdateDate")?,
        next_renewal: date("Registration.NextRenewalDate")?,
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
    each(reader, [LEI], &[LEI, "ISIN"], wanted, |row| {
        let lei = row.parsed(LEI)?.ok_or("LEI: is empty")?;
        Ok((lei, row.parsed("ISIN")?.ok_or("ISIN: is empty")?))
    })
}
