// SPDX-License-Identifier: GPL-3.0-or-later
//! Decompressing zstd: in plain Rust, or with the C library if the feature `libzstd` asks for it.
//!
//! The C library is about 3.5 times faster, which shows where many cores parse what one decompresses; but the
//! build then needs a C compiler, and the project promises to build with Rust alone.

/// What `zstd --long` writes; frames that want more memory are refused.
const LARGEST_WINDOW: u64 = 1 << 27;

#[cfg(feature = "libzstd")]
pub(crate) use in_c::Zstd;
#[cfg(not(feature = "libzstd"))]
pub(crate) use in_rust::Zstd;

#[cfg(feature = "libzstd")]
mod in_c {
    use std::io::{self, BufRead, Read};

    use zstd::stream::read::Decoder;

    /// A zstd stream of any number of frames, one after the other.
    pub(crate) struct Zstd<R: BufRead>(Decoder<'static, R>);

    impl<R: BufRead> Zstd<R> {
        pub(crate) fn new(input: R) -> io::Result<Zstd<R>> {
            let mut decoder = Decoder::with_buffer(input)?;
            decoder.window_log_max(super::LARGEST_WINDOW.ilog2())?;
            Ok(Zstd(decoder))
        }
    }

    impl<R: BufRead> Read for Zstd<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.0.read(buffer)
        }
    }
}

#[cfg(not(feature = "libzstd"))]
mod in_rust {
    use std::io::{self, BufRead, Read};

    use ruzstd::decoding::{
        BlockDecodingStrategy, FrameDecoder,
        errors::{FrameDecoderError, ReadFrameHeaderError},
    };

    /// A zstd stream of any number of frames, one after the other.
    pub(crate) struct Zstd<R> {
        input: R,
        frame: FrameDecoder,
    }

    impl<R: BufRead> Zstd<R> {
        pub(crate) fn new(input: R) -> io::Result<Zstd<R>> {
            let mut frame = FrameDecoder::new();
            frame.set_max_window_size(super::LARGEST_WINDOW);
            Ok(Zstd { input, frame })
        }

        /// Goes on to the next frame; tells whether there is one.
        fn next_frame(&mut self) -> io::Result<bool> {
            if let (Some(written), Some(computed)) =
                (self.frame.get_checksum_from_data(), self.frame.get_calculated_checksum())
                && written != computed
            {
                let message = format!("zstd checksum {computed:08x}, expected {written:08x}");
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
            while !self.input.fill_buf()?.is_empty() {
                match self.frame.reset(&mut self.input) {
                    Ok(()) => return Ok(true),
                    Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                        length,
                        ..
                    })) => {
                        io::copy(&mut self.input.by_ref().take(length.into()), &mut io::sink())?;
                    }
                    Err(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error)),
                }
            }
            Ok(false)
        }
    }

    impl<R: BufRead> Read for Zstd<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            loop {
                if self.frame.can_collect() > 0 {
                    return self.frame.read(buffer);
                }
                if self.frame.is_finished() {
                    if !self.next_frame()? {
                        return Ok(0);
                    }
                } else {
                    self.frame
                        .decode_blocks(&mut self.input, BlockDecodingStrategy::UptoBlocks(1))
                        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
                }
            }
        }
    }
}
