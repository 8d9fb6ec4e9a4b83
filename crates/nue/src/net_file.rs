// SPDX-License-Identifier: GPL-3.0-or-later
//! Network files as the subcommands use them.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use anyhow::{Context, ensure};
use clap::{Args, ValueEnum};
use nnue::{
    Net, NetError, Network,
    file::{self, Format},
};

/// Reads a network file of any format.
pub(crate) fn load(path: &Path) -> anyhow::Result<Net> {
    file::load(path).with_context(|| path.display().to_string())
}

/// Reads a network and lays it out for this machine, or for the instruction set that `NUE_SIMD` names.
pub(crate) fn network(path: &Path) -> anyhow::Result<Network> {
    Network::new(load(path)?, engine::eval::level().context("NUE_SIMD")?)
        .with_context(|| path.display().to_string())
}

/// How a file is written: its format, and whether it is compressed.
pub(crate) fn form(path: &Path) -> anyhow::Result<(Format, bool)> {
    let start = |reader: &mut dyn Read| -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        reader.take(8).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let (outside, inside) = (start(&mut fs::File::open(path)?)?, start(&mut formats::open(path)?)?);
    let format = file::format_of(&inside).context("not a network file")?;
    Ok((format, outside != inside))
}

/// The name of a format, as `--format` takes it.
pub(crate) fn format_name(format: Format) -> &'static str {
    match format {
        Format::Nue => "nue",
        Format::Stockfish12 => "sf12",
        Format::Stockfish15 => "sf15",
    }
}

/// A format on the command line.
#[derive(Copy, Clone, ValueEnum)]
pub(crate) enum FormatName {
    /// Our own: any network
    Nue,
    /// Stockfish 12: HalfKP 256x2-32-32 only
    Sf12,
    /// Stockfish 15.1: HalfKAv2_hm 1024x2-16-32 with eight buckets only
    Sf15,
}

/// Where and how to write a network.
#[derive(Args)]
pub(crate) struct OutputArgs {
    /// The file to write
    #[arg(value_name = "OUT")]
    path: PathBuf,

    /// The format of the file
    #[arg(long, value_enum, default_value = "nue")]
    format: FormatName,

    /// Compress the file with zstd
    #[arg(long)]
    zstd: bool,
}

impl OutputArgs {
    /// Writes the network. The files from which it came are left alone.
    pub(crate) fn save(&self, net: &Net, sources: &[PathBuf]) -> anyhow::Result<()> {
        if let Ok(target) = self.path.canonicalize() {
            let same = sources.iter().any(|path| path.canonicalize().is_ok_and(|source| source == target));
            ensure!(!same, "{}: it would overwrite the network it is made from", self.path.display());
        }
        let format = match self.format {
            FormatName::Nue => Format::Nue,
            FormatName::Sf12 => Format::Stockfish12,
            FormatName::Sf15 => Format::Stockfish15,
        };
        let saved = file::save(net, &self.path, format, self.zstd).map_err(|error| match error {
            NetError::Io(error) => anyhow::Error::new(error).context("cannot be written"),
            error => error.into(),
        });
        saved.with_context(|| self.path.display().to_string())?;
        say!("{}: {}, {} bytes", self.path.display(), net.arch, fs::metadata(&self.path)?.len());
        Ok(())
    }
}
