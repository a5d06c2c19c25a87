//! Rows that wait in memory: the codes of their values, in a few bytes.

/// The codes of rows, one after another. Each is a number of variable length (LEB128): 0 for no value, or else one more than the
/// code, of which the sign is the lowest bit.
#[derive(Clone, Debug, Default)]
pub(crate) struct Writer(Vec<u8>);

impl Writer {
    pub(crate) fn push(&mut self, code: Option<i64>) {
        let mut number = code.map_or(0, |it| folded(it).saturating_add(1));
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(crate) fn finish(self) -> Box<[u8]> {
        self.0.into_boxed_slice()
    }
}

/// Numbers near 0 are small, also negative ones.
fn folded(code: i64) -> u64 {
    (code << 1).cast_unsigned() ^ (code >> 63).cast_unsigned()
}

fn unfolded(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

/// Reads codes that were written.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn next(&mut self) -> Option<i64> {
        let mut number = 0_u64;
        let mut shift = 0;
        while let Some((byte, rest)) = self.0.split_first() {
            self.0 = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                break;
            }
            shift += 7;
        }
        number.checked_sub(1).map(unfolded)
    }

    pub(crate) fn skip(&mut self, codes: usize) {
        for _ in 0..codes {
            let end = self.0.iter().position(|it| it & 0x80 == 0).map_or(self.0.len(), |it| it + 1);
            self.0 = &self.0[end..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_come_back_and_can_be_skipped() {
        let codes =
            [None, Some(0), Some(-1), Some(63), Some(1 << 40), Some(i64::MAX), Some(i64::MIN + 1)];
        let mut writer = Writer::default();
        codes.iter().for_each(|it| writer.push(*it));
        let bytes = writer.finish();
        for first in 0..codes.len() {
            let mut reader = Reader::new(&bytes);
            reader.skip(first);
            for code in &codes[first..] {
                assert!(!reader.is_at_end());
                assert_eq!(reader.next(), *code);
            }
            assert!(reader.is_at_end());
        }
    }
}
