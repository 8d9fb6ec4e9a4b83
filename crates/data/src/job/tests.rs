// SPDX-License-Identifier: GPL-3.0-or-later
//! Jobs that are dropped in the middle, as a kill drops them.

use std::fs;

use super::*;

fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("nue-job-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path); // it is there only if the test ran before
    fs::create_dir_all(&path).expect("a folder");
    path
}

fn plan(folder: &Path, seed: u64) -> Plan {
    let mut settings = Settings::default();
    settings.set("seed", json!(seed));
    let outputs = vec![
        Output::new(&folder.join("a"), b"A:".to_vec()),
        Output::new(&folder.join("b"), Vec::new()),
        Output::scratch(&folder.join("c")),
    ];
    Plan { command: "test", settings, outputs, force: false }
}

fn job(plan: Plan) -> Job {
    match plan.open().expect("the files can be opened") {
        Opened::Job(job) => job,
        Opened::Finished(manifest) => panic!("finished: {manifest:?}"),
    }
}

/// Does tasks up to a number, saving after those whose number is even.
fn work(job: &mut Job, until: u64) {
    job.interval = Duration::from_secs(1000);
    while job.tasks() < until {
        let text = format!("<{}>", job.tasks());
        (0..3).for_each(|output| job.append(output, text.as_bytes()).unwrap());
        job.task_done(&Counts { games: 1, positions: 10, ..Counts::default() }).unwrap();
        if job.tasks().is_multiple_of(2) {
            job.save().unwrap();
        }
    }
}

#[test]
fn a_job_goes_on_after_the_last_saved_task() {
    let folder = folder("resume");
    let mut first = job(plan(&folder, 1));
    work(&mut first, 3);
    (0..3).for_each(|output| first.append(output, b"torn").unwrap());
    drop(first);
    assert!(fs::read_to_string(folder.join("a.part")).unwrap().ends_with("<2>torn"));

    let mut second = job(plan(&folder, 1));
    assert_eq!((second.tasks(), second.counts().games), (2, 2));
    let mut text = String::new();
    second.read_back(2).unwrap().read_to_string(&mut text).unwrap();
    assert_eq!(text, "<0><1>");
    work(&mut second, 5);
    second.rewrite_header(0, b"B:").unwrap();
    let manifest = second.finish().unwrap();
    assert_eq!((manifest.counts.games, manifest.bytes()), (5, 2 + 15 + 15));
    assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "B:<0><1><2><3><4>");
    assert_eq!(fs::read_to_string(folder.join("b")).unwrap(), "<0><1><2><3><4>");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["a", "a.manifest.json", "b", "b.manifest.json"]);
    // Once more, and there is nothing left to do.
    assert!(matches!(plan(&folder, 1).open(), Ok(Opened::Finished(found)) if found == manifest));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_task_that_fails_halfway_leaves_nothing() {
    let folder = folder("halfway");
    let mut first = job(plan(&folder, 1));
    work(&mut first, 3);
    first.append(0, b"half").unwrap();
    first.save().unwrap();
    drop(first);
    let mut second = job(plan(&folder, 1));
    work(&mut second, 4);
    second.finish().unwrap();
    assert_eq!(fs::read_to_string(folder.join("a")).unwrap(), "A:<0><1><2><3>");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_job_killed_while_it_ends_is_finished_by_the_next() {
    let folder = folder("ending");
    let mut killed = job(plan(&folder, 1));
    work(&mut killed, 4);
    let manifest = Manifest {
        command: "test".to_owned(),
        settings: killed.plan.settings.clone(),
        counts: killed.counts().clone(),
        outputs: Vec::new(),
    };
    drop(killed);
    manifest.write(&manifest_path(&folder.join("a"))).unwrap();
    fs::rename(folder.join("a.part"), folder.join("a")).unwrap();
    assert!(matches!(plan(&folder, 1).open(), Ok(Opened::Finished(_))));
    assert_eq!(fs::read_to_string(folder.join("b")).unwrap(), "<0><1><2><3>");
    assert!(!folder.join("a.state").exists() && !folder.join("c.part").exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn other_work_is_left_alone() {
    let folder = folder("other");
    work(&mut job(plan(&folder, 1)), 2);
    let error = plan(&folder, 2).open().err().expect("another seed").to_string();
    assert!(error.contains("its seed is 1, expected 2"), "{error}");
    job(Plan { force: true, ..plan(&folder, 2) }).finish().unwrap();
    assert!(matches!(plan(&folder, 1).open(), Err(DataError::OtherWork { .. })));

    fs::remove_file(folder.join("a.manifest.json")).unwrap();
    assert!(matches!(plan(&folder, 2).open(), Err(DataError::Exists(_))));
    assert!(!folder.join("a.part").exists(), "nothing is left behind");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn two_programs_do_not_write_one_file() {
    let folder = folder("lock");
    let _first = job(plan(&folder, 1));
    assert!(matches!(plan(&folder, 1).open(), Err(DataError::InUse(_))));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn damage_to_the_files_of_a_job_is_noticed() {
    let folder = folder("damage");
    work(&mut job(plan(&folder, 1)), 2);
    fs::write(folder.join("b.part"), "<").unwrap();
    assert!(matches!(plan(&folder, 1).open(), Err(DataError::Cut { length: 1, expected: 6, .. })));
    fs::write(folder.join("a.state"), "{}").unwrap();
    assert!(matches!(plan(&folder, 1).open(), Err(DataError::State(_))));
    fs::remove_dir_all(folder).unwrap();
}
