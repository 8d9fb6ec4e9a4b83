// SPDX-License-Identifier: GPL-3.0-or-later
//! Independent tasks spread over threads: `tasks -> workers -> results, one by one`.

use std::{
    sync::{
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
};

/// Runs `work` on every task and hands each result to `collect`, on the calling thread, as it comes.
///
/// Every thread makes its own `state` first and keeps it from task to task.
pub(crate) fn run<'t, T: Sync, S, R: Send>(
    tasks: &'t [T],
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &'t T) -> R + Sync,
    mut collect: impl FnMut(R),
) {
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, tasks.len().max(1)) {
            let sender = sender.clone();
            let (next, state, work) = (&next, &state, &work);
            scope.spawn(move || {
                let mut state = state();
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if sender.send(work(&mut state, task)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        results.into_iter().for_each(&mut collect);
    });
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_task_is_done_once() {
        let tasks: Vec<u64> = (1..=100).collect();
        for threads in [0, 1, 3, 200] {
            let mut results = Vec::new();
            super::run(&tasks, threads, || 0, |_, task| task * task, |result| results.push(result));
            results.sort_unstable();
            assert_eq!(results, tasks.iter().map(|task| task * task).collect::<Vec<_>>());
        }
    }
}
