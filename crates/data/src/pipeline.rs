// SPDX-License-Identifier: GPL-3.0-or-later
//! Many threads, one order: `tasks -> workers -> results, collected in the order of the tasks`.
//!
//! What is collected, and when, does not depend on the number of threads: this is what makes the commands
//! deterministic. A thread of its own draws the tasks, so that reading and decompressing go on meanwhile.
//! The number of tasks under way is bounded, and with it the memory.

use std::{
    collections::BTreeMap,
    sync::{
        Mutex,
        mpsc::{Receiver, Sender, channel, sync_channel},
    },
    thread,
};

/// Tasks under way for each thread: one in work, the others so that nobody waits.
const TASKS_PER_THREAD: usize = 4;

/// A stack on which our search and every reader can run.
const STACK_BYTES: usize = 32 << 20;

/// Runs `work` on every task and hands the results to `collect` in the order of the tasks.
///
/// Every thread makes its own `state` first and keeps it from task to task. An error of `collect` ends the
/// work: tasks that are under way are finished and forgotten.
///
/// # Errors
/// The first error of `collect`.
pub fn ordered<T: Send, S, R: Send, E>(
    tasks: impl Iterator<Item = T> + Send,
    threads: usize,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> R + Sync,
    mut collect: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.max(1);
    let (tickets, drawn) = sync_channel::<()>(TASKS_PER_THREAD * threads);
    let (task_sender, task_receiver) = channel::<(u64, T)>();
    let task_receiver = Mutex::new(task_receiver);
    let (result_sender, results) = channel();
    thread::scope(|scope| {
        scope.spawn(move || {
            for task in (0..).zip(tasks) {
                // Without a ticket there is nobody left to do or to collect the work.
                if tickets.send(()).is_err() || task_sender.send(task).is_err() {
                    return;
                }
            }
        });
        for number in 0..threads {
            let (sender, receiver, state, work) = (result_sender.clone(), &task_receiver, &state, &work);
            thread::Builder::new()
                .name(format!("worker {number}"))
                .stack_size(STACK_BYTES)
                .spawn_scoped(scope, move || run(receiver, &sender, state, work))
                .expect("a thread can be started");
        }
        drop(result_sender);
        let outcome = in_order(&results, |result| {
            collect(result)?;
            // The ticket of a collected task is free again; the drawing thread may be gone already.
            let _ = drawn.try_recv();
            Ok(())
        });
        if outcome.is_err() {
            // No more tickets, no more tasks: the threads run dry.
            drop(drawn);
            let receiver = task_receiver.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            while receiver.try_recv().is_ok() {}
        }
        outcome
    })
}

/// The life of a worker.
fn run<T, S, R>(
    tasks: &Mutex<Receiver<(u64, T)>>,
    results: &Sender<(u64, R)>,
    state: impl Fn() -> S,
    work: impl Fn(&mut S, T) -> R,
) {
    let mut state = state();
    loop {
        let next = tasks.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).recv();
        let Ok((number, task)) = next else { return };
        if results.send((number, work(&mut state, task))).is_err() {
            return;
        }
    }
}

/// Hands on numbered results in the order of their numbers.
fn in_order<R, E>(
    results: &Receiver<(u64, R)>,
    mut collect: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    let (mut next, mut early) = (0, BTreeMap::new());
    for (number, result) in results {
        early.insert(number, result);
        while let Some(result) = early.remove(&next) {
            collect(result)?;
            next += 1;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicUsize, Ordering::SeqCst},
        time::Duration,
    };

    use super::*;

    /// Work whose duration has nothing to do with its order.
    fn square(n: u64) -> u64 {
        thread::sleep(Duration::from_micros(n * 7919 % 97));
        n * n
    }

    #[test]
    fn results_keep_the_order_of_their_tasks() {
        let expected: Vec<u64> = (0..500).map(|n| n * n).collect();
        for threads in [0, 1, 2, 7] {
            let mut results = Vec::new();
            ordered(
                0..500,
                threads,
                || (),
                |(), n| square(n),
                |result| {
                    results.push(result);
                    Ok::<(), ()>(())
                },
            )
            .unwrap();
            assert_eq!(results, expected, "{threads} threads");
        }
    }

    #[test]
    fn an_error_ends_the_work_early() {
        let drawn = AtomicUsize::new(0);
        let tasks = (0..1_000_000).inspect(|_| {
            drawn.fetch_add(1, SeqCst);
        });
        let mut collected = 0;
        let outcome = ordered(
            tasks,
            3,
            || (),
            |(), n| square(n),
            |result| {
                collected += 1;
                if result < 100 { Ok(()) } else { Err(result) }
            },
        );
        assert_eq!((outcome, collected), (Err(100), 11));
        assert!(drawn.load(SeqCst) < 100, "{drawn:?}");
    }

    #[test]
    fn one_slow_task_does_not_let_the_others_pile_up() {
        let (drawn, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let tasks = (0..200).inspect(|_| {
            drawn.fetch_add(1, SeqCst);
        });
        let work = |(): &mut (), n: u64| {
            if n == 0 {
                thread::sleep(Duration::from_millis(100));
                most.store(drawn.load(SeqCst), SeqCst);
            }
        };
        ordered(tasks, 2, || (), work, |()| Ok::<(), ()>(())).unwrap();
        assert!(most.load(SeqCst) <= 2 * TASKS_PER_THREAD + 1, "{most:?}");
    }

    #[test]
    fn every_thread_keeps_its_state() {
        let made = AtomicUsize::new(0);
        let state = || made.fetch_add(1, SeqCst);
        ordered(0..100, 3, state, |_, n: u64| n, |_| Ok::<(), ()>(())).unwrap();
        assert_eq!(made.load(SeqCst), 3);
    }
}
