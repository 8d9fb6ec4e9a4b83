// SPDX-License-Identifier: GPL-3.0-or-later
//! Which instruction set to use: the best one of the CPU, or the one asked for.

use std::{fmt, str::FromStr};

use thiserror::Error;

use super::{Scalar, Simd};

/// An instruction set that inference is compiled for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Plain Rust: the specification.
    Scalar,
    /// NEON of 64-bit ARM; written against the same vocabulary but never run yet.
    Neon,
    /// AVX2.
    Avx2,
    /// AVX-512 (F, BW, DQ, VL) without dot products of bytes.
    Avx512,
    /// AVX-512 with dot products of bytes (VNNI).
    Avx512Vnni,
}

/// An instruction set that cannot be used.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum SimdError {
    /// No such name.
    #[error("unknown instruction set '{0}', expected one of scalar, neon, avx2, avx512bw, avx512")]
    Unknown(String),
    /// The CPU does not have it.
    #[error("this CPU cannot run '{0}', it can run {names}", names = Level::available_names())]
    Unavailable(Level),
}

/// Something to be done with the type behind a level.
pub(crate) trait Visitor {
    type Output;
    fn visit<S: Simd>(self, simd: S) -> Self::Output;
}

/// Does nothing: tells only whether the level is there.
struct Presence;

impl Visitor for Presence {
    type Output = ();
    fn visit<S: Simd>(self, _: S) {}
}

impl Level {
    /// All levels, slowest first.
    pub const ALL: [Level; 5] = [Level::Scalar, Level::Neon, Level::Avx2, Level::Avx512, Level::Avx512Vnni];

    /// The levels that this CPU can run, slowest first.
    pub fn available() -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(|level| level.visit(Presence).is_ok())
    }

    /// The fastest level of this CPU.
    pub fn best() -> Level {
        Level::available().last().unwrap_or(Level::Scalar)
    }

    /// The level of this name if one is given (the variable `NUE_SIMD`), or else the fastest.
    ///
    /// `avx512` includes the dot products of bytes where the CPU has them, `avx512bw` does without.
    pub fn choose(name: Option<&str>) -> Result<Level, SimdError> {
        let Some(name) = name else { return Ok(Level::best()) };
        let level: Level = name.parse()?;
        match level.visit(Presence) {
            Ok(()) => Ok(level),
            Err(_) if level == Level::Avx512Vnni && Level::Avx512.visit(Presence).is_ok() => {
                Ok(Level::Avx512)
            }
            Err(error) => Err(error),
        }
    }

    fn available_names() -> String {
        Level::available().map(|level| level.to_string()).collect::<Vec<_>>().join(", ")
    }

    /// Hands the visitor a value that proves the CPU has the level.
    pub(crate) fn visit<V: Visitor>(self, visitor: V) -> Result<V::Output, SimdError> {
        match self {
            Level::Scalar => return Ok(visitor.visit(Scalar)),
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => {
                if let Some(simd) = super::avx2::Avx2::detect() {
                    return Ok(visitor.visit(simd));
                }
            }
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                if let Some(simd) = super::avx512::Avx512::<false>::detect() {
                    return Ok(visitor.visit(simd));
                }
            }
            #[cfg(target_arch = "x86_64")]
            Level::Avx512Vnni => {
                if let Some(simd) = super::avx512::Avx512::<true>::detect() {
                    return Ok(visitor.visit(simd));
                }
            }
            #[cfg(target_arch = "aarch64")]
            Level::Neon => {
                if let Some(simd) = super::neon::Neon::detect() {
                    return Ok(visitor.visit(simd));
                }
            }
            #[allow(unreachable_patterns, reason = "the levels of other architectures")]
            _ => {}
        }
        Err(SimdError::Unavailable(self))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Scalar => "scalar",
            Level::Neon => "neon",
            Level::Avx2 => "avx2",
            Level::Avx512 => "avx512bw",
            Level::Avx512Vnni => "avx512",
        })
    }
}

impl FromStr for Level {
    type Err = SimdError;

    fn from_str(name: &str) -> Result<Level, SimdError> {
        let named = |level: &Level| level.to_string() == name;
        Level::ALL.into_iter().find(named).ok_or_else(|| SimdError::Unknown(name.to_owned()))
    }
}
