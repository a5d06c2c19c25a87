use std::io::{self, BufRead, Read};

use sha2::{Digest, Sha256};

/// A file that is hashed while it is read.
pub(super) struct Hashed<R> {
    input: R,
    hash: Sha256,
}

impl<R: BufRead> Hashed<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, hash: Sha256::new() }
    }

    /// SHA-256 of the whole file, in hexadecimal. Reads what has not been read yet.
    pub(super) fn finish(mut self) -> io::Result<String> {
        io::copy(&mut self, &mut io::sink())?;
        Ok(hex::encode(self.hash.finalize()))
    }
}

impl<R: BufRead> Read for Hashed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.input.read(buffer)?;
        self.hash.update(&buffer[..read]);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Hashed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // Returns the same bytes as before, because they have not been consumed.
        if let Ok(bytes) = self.input.fill_buf() {
            self.hash.update(&bytes[..amount.min(bytes.len())]);
        }
        self.input.consume(amount);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hash_covers_the_whole_file_however_it_is_read() {
        let text = b"one\ntwo\nthree\n".as_slice();
        let expected = hex::encode(Sha256::digest(text));
        assert_eq!(Hashed::new(text).finish().expect("memory"), expected);
        let mut partly = Hashed::new(text);
        let mut line = String::new();
        partly.read_line(&mut line).expect("memory");
        partly.read_exact(&mut [0; 2]).expect("memory");
        assert_eq!(partly.finish().expect("memory"), expected);
    }
}
