mod changes;
mod entries;
mod limits;

const ENTERED: &str = "Eingetragene Personen neu oder mutierend:";
