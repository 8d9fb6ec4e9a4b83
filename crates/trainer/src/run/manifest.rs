// SPDX-License-Identifier: GPL-3.0-or-later
//! `manifest.csv`: which files a run uses and what was in them, so that it never goes on with others.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use rules::Checksum;
use thiserror::Error;

use super::{Folder, RunError};
use crate::{
    Config, Dataset, Filter, Part, Reading, Record, Tally,
    config::FileSpec,
    dataset::{
        intake::Intake,
        store::{kept, with_records},
        supply::{Keep, Supply},
        teacher::Teachers,
    },
};

/// Data that are not what they were.
#[derive(Debug, Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum ManifestError {
    #[error("manifest.csv: '{0}' is no line of it, expected use,weight,records,checksum,path")]
    Line(String),
    #[error("{}: is not what it was when this run began, expected the same file read by the same version", .0.display())]
    Changed(PathBuf),
}

/// The data of a run.
pub(super) struct Loaded {
    pub(super) supply: Supply,
    pub(super) validation: Vec<Record>,
    /// What became of all positions, if they were just read.
    pub(super) tally: Option<Tally>,
    /// Whether the records are kept in the folder although they fit into memory.
    costly: bool,
    /// The network that plays against those of the run.
    pub(super) reference: Option<PathBuf>,
}

/// The list of the data: a run that has it has read them.
pub(super) const MANIFEST: &str = "manifest.csv";
/// Records that were too many for memory, or costly.
pub(super) const RECORDS: &str = "records.bullet";
/// Those that are held out.
const CHECK: &str = "check.bullet";
const HEADER: &str = "use,weight,records,checksum,path\n";

/// Reads the files of a configuration and describes them; records that are too many go into the folder.
pub(super) fn load(
    config: &Config,
    base: &Path,
    folder: Option<&Path>,
    reading: &mut Reading<'_>,
) -> Result<(Loaded, String), RunError> {
    let place = |path: &Path| {
        let path = base.join(path);
        path.canonicalize().unwrap_or(path)
    };
    let placed = |files: &[FileSpec]| -> Vec<(PathBuf, f64)> {
        files.iter().map(FileSpec::parts).map(|(path, weight)| (place(&path), weight)).collect()
    };
    let reference = config.elo.as_ref().and_then(|elo| elo.reference.as_deref()).map(place);
    if let Some(path) = &reference {
        // Now rather than after hours of training.
        nnue::file::load(path).map_err(|cause| RunError::Net {
            key: "elo.reference",
            path: path.clone(),
            cause,
        })?;
    }
    let files = placed(&config.data.files);
    let others: Vec<PathBuf> = config.data.validation.iter().map(|path| place(path)).collect();
    let records = folder.map(|folder| folder.join(RECORDS));
    let judges = placed(&config.data.teachers);
    let teachers = Arc::new(Teachers::open(&judges)?);
    let (loaded, parts) = read(config, &files, &others, teachers.clone(), records.as_deref(), reading)?;
    let mut lines: String = parts.iter().map(|(what, part)| line(what, part)).collect();
    if let Some(path) = &reference {
        let opponent = Part { path: path.clone(), first: 0, len: 0, weight: 1.0, end: 0, checksum: 0 };
        lines.push_str(&line("reference", &opponent));
    }
    for ((path, weight), &checksum) in judges.into_iter().zip(teachers.checksums()) {
        lines.push_str(&line("teacher", &Part { path, first: 0, len: 0, weight, end: 0, checksum }));
    }
    lines.push_str(&line("held", &held(&loaded.validation)));
    Ok((Loaded { reference, ..loaded }, format!("{HEADER}{lines}")))
}

/// Keeps what is held out.
pub(super) fn keep_check(folder: &Folder, loaded: &Loaded) -> Result<(), RunError> {
    let kept_too = matches!(loaded.supply, Supply::Windows(_)) || loaded.costly;
    if !kept_too {
        // Perhaps left by a run that did not come to begin.
        folder.remove(RECORDS)?;
    }
    let bytes: Vec<u8> = loaded.validation.iter().flat_map(|record| record.0).collect();
    Ok(folder.write(CHECK, &bytes)?)
}

/// What was kept of it; nothing in folders of versions that did not.
pub(super) fn held_out(folder: &Folder) -> Result<Vec<Record>, RunError> {
    match folder.has(CHECK) {
        true => Ok(kept(&folder.path().join(CHECK))?),
        false => Ok(Vec::new()),
    }
}

/// What the manifest says of the positions held out of all files.
fn held(validation: &[Record]) -> Part {
    let (len, checksum) = (validation.len(), with_records(Checksum::new(), validation).value());
    Part { path: CHECK.into(), first: 0, len, weight: 1.0, end: 0, checksum }
}

/// The data of a run once more: from its folder if they are there, from the files otherwise.
pub(super) fn reload(
    config: &Config,
    folder: &Folder,
    reading: &mut Reading<'_>,
) -> Result<Loaded, RunError> {
    let manifest = folder.read(MANIFEST)?;
    let parsed =
        manifest.lines().skip(1).map(|line| parse(line).ok_or_else(|| ManifestError::Line(line.to_owned())));
    let expected = parsed.collect::<Result<Vec<(&str, Part)>, _>>()?;
    let of = |what: &'static str| expected.iter().filter(move |line| line.0 == what).map(|line| &line.1);
    let reference = of("reference").next().map(|part| part.path.clone());
    let unchanged = |validation: &[Record]| {
        let (found, mut expected) = (held(validation), of("held"));
        match expected.all(|part| (part.len, part.checksum) == (found.len, found.checksum)) {
            true => Ok(()),
            false => Err(ManifestError::Changed(folder.path().join(CHECK))),
        }
    };
    if folder.has(RECORDS) {
        let path = folder.path().join(RECORDS);
        let bytes: u64 = of("train").map(|part| (Record::SIZE * part.len) as u64).sum();
        if path.metadata().map_or(0, |about| about.len()) != bytes {
            return Err(ManifestError::Changed(path).into());
        }
        let supply = Supply::again(
            of("train").cloned().collect(),
            config.loss.kind.group(),
            &keep(config, None),
            &path,
        )?;
        let validation = kept(&folder.path().join(CHECK))?;
        unchanged(&validation)?;
        if supply.parts().iter().zip(of("train")).any(|(found, part)| found.checksum != part.checksum) {
            return Err(ManifestError::Changed(path).into());
        }
        let costly = config.data.leaf;
        return Ok(Loaded { supply, validation, tally: None, costly, reference });
    }
    let files: Vec<_> = of("train").map(|part| (part.path.clone(), part.weight)).collect();
    let others: Vec<_> = of("check").map(|part| part.path.clone()).collect();
    let teachers = the_same_teachers(&of("teacher").collect::<Vec<_>>())?;
    let (loaded, found) = read(config, &files, &others, Arc::new(teachers), None, reading)?;
    for ((_, found), expected) in found.iter().zip(of("train").chain(of("check"))) {
        if (found.len, found.checksum) != (expected.len, expected.checksum) {
            return Err(ManifestError::Changed(found.path.clone()).into());
        }
    }
    unchanged(&loaded.validation)?;
    Ok(Loaded { reference, ..loaded })
}

fn the_same_teachers(parts: &[&Part]) -> Result<Teachers, RunError> {
    let files: Vec<(PathBuf, f64)> = parts.iter().map(|part| (part.path.clone(), part.weight)).collect();
    let teachers = Teachers::open(&files)?;
    let mut both = parts.iter().zip(teachers.checksums());
    match both.find(|(part, checksum)| part.checksum != **checksum) {
        None => Ok(teachers),
        Some((part, _)) => Err(ManifestError::Changed(part.path.clone()).into()),
    }
}

fn keep<'a>(config: &Config, place: Option<&'a Path>) -> Keep<'a> {
    Keep {
        memory_bytes: config.data.memory_mb.saturating_mul(1 << 20),
        place,
        always: config.data.leaf,
        seed: config.seed,
        batch: config.run.batch,
    }
}

/// Everything of a run, and its files with what they are for.
type Described = (Loaded, Vec<(&'static str, Part)>);

fn read(
    config: &Config,
    files: &[(PathBuf, f64)],
    others: &[PathBuf],
    teachers: Arc<Teachers>,
    place: Option<&Path>,
    reading: &mut Reading<'_>,
) -> Result<Described, RunError> {
    let (beside, taught_beside) = (config.network.hand_crafted > 0, teachers.ask_by_hand());
    let wishes =
        [(config.data.leaf, "data.leaf"), (beside, "network.hand_crafted"), (taught_beside, "data.teachers")];
    if let (None, Some((_, key))) = (reading.insight, wishes.into_iter().find(|wish| wish.0)) {
        return Err(RunError::NoEngine(key));
    }
    let by_hand = beside || taught_beside;
    let filter: Filter = config.data.filter();
    let group = config.loss.kind.group();
    let (hold_out, leaf, mirror) = (config.data.hold_out, config.data.leaf, config.data.mirror);
    let (siblings, judged, hindsight) = (config.data.siblings, config.data.judged, config.hindsight());
    let intake =
        Intake { filter, hold_out, group, leaf, mirror, hindsight, siblings, by_hand, teachers, judged };
    let (supply, mut validation, tally) = Supply::read(files, &intake, &keep(config, place), reading)?;
    let mut parts: Vec<_> = supply.parts().iter().map(|part| ("train", part.clone())).collect();
    let teachers = Arc::default();
    let intake = Intake { hold_out: 0.0, mirror: false, hindsight: None, siblings: 0, teachers, ..intake };
    for path in others {
        let data = Dataset::check_with(path, &intake, reading)?;
        parts.extend(data.parts().iter().map(|part| ("check", part.clone())));
        validation.extend_from_slice(data.records());
    }
    let (tally, costly) = (Some(tally), config.data.leaf);
    Ok((Loaded { supply, validation, tally, costly, reference: None }, parts))
}

fn line(what: &str, part: &Part) -> String {
    let Part { weight, len, checksum, path, .. } = part;
    format!("{what},{weight},{len},{checksum:016x},{}\n", path.display())
}

fn parse(line: &str) -> Option<(&str, Part)> {
    let mut cells = line.splitn(5, ',');
    let what =
        cells.next().filter(|what| ["train", "check", "held", "reference", "teacher"].contains(what))?;
    let part = Part {
        weight: cells.next()?.parse().ok()?,
        len: cells.next()?.parse().ok()?,
        checksum: u64::from_str_radix(cells.next()?, 16).ok()?,
        path: cells.next()?.into(),
        first: 0,
        end: 0,
    };
    Some((what, part))
}
