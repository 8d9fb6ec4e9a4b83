// SPDX-License-Identifier: GPL-3.0-or-later
// The engine beside the board: asks the server to search the position looked at, keeps the best it heard
// about each position, and forgets nothing when the position changes and comes back.
import { connection, link } from '../lib/link.svelte';
import type { Limit, Lines } from '../lib/messages';
import { settings } from '../lib/settings.svelte';

/** A position as the search needs it: with the moves that led there, for repetitions. */
export interface Task {
  startFen: string;
  moves: string[];
  fen: string;
  chess960: boolean;
}

const MAIN = 1;
const THREAT = 2;

/** Repetition apart, positions are the same whatever their move counters say. */
const keyOf = (fen: string): string => fen.split(' ').slice(0, 4).join(' ');

export const samePosition = (fen: string, other: string): boolean => keyOf(fen) === keyOf(other);

export class Engine {
  on = $state(true);
  threat = $state(false);
  /** What is known about the position looked at. */
  lines: Lines | undefined = $state.raw();
  threatLines: Lines | undefined = $state.raw();
  private task: Task | undefined;
  private readonly known = new Map<string, Lines>();

  watch(): () => void {
    const unlisten = connection.listen((event) => {
      if (event.type === 'lines') this.receive(event);
    });
    const unresume = connection.whenOpen(() => this.start());
    return () => {
      this.stop();
      unlisten();
      unresume();
    };
  }

  private receive(lines: Lines): void {
    if (lines.threat) {
      // The side to move is the other one, so the pieces tell whether it is still the position looked at.
      const pieces = (fen = ''): string => fen.split(' ')[0]!;
      if (this.threat && pieces(lines.fen) === pieces(this.task?.fen)) this.threatLines = lines;
      return;
    }
    const known = this.known.get(keyOf(lines.fen));
    // A search that begins anew is shown as soon as it has caught up with what was known.
    if (!known || lines.depth >= known.depth || lines.lines.length > known.lines.length) {
      this.known.set(keyOf(lines.fen), lines);
      if (this.task && samePosition(this.task.fen, lines.fen)) this.lines = lines;
    }
  }

  /** Turns to a position; nothing happens if it is looked at already. */
  look(task: Task): void {
    const { startFen, moves } = this.task ?? {};
    if (startFen === task.startFen && moves?.join() === task.moves.join()) return;
    this.task = task;
    this.lines = this.known.get(keyOf(task.fen));
    this.threatLines = undefined;
    this.start();
  }

  /** Begins or goes on, with the settings of now. */
  start(): void {
    if (!this.on || !this.task) return this.stop();
    this.ask(MAIN, settings.lines, false, limit());
    if (this.threat) this.ask(THREAT, 1, true, { type: 'time', ms: 1000 });
    else this.threatLines = undefined;
  }

  private ask(job: number, lines: number, threat: boolean, until: Limit): void {
    const { startFen: fen, moves, chess960 } = this.task!;
    const { max_threads: threads = 1, max_hash_mb: hash = 64 } = link.welcome ?? {};
    connection
      .tell({
        type: 'analyse',
        job,
        fen,
        moves,
        lines,
        threat,
        chess960,
        limit: until,
        threads: Math.min(settings.threads, threads),
        hash_mb: Math.min(settings.hash, hash),
      })
      .catch(() => {});
  }

  stop(): void {
    this.threatLines = undefined;
    for (const job of [MAIN, THREAT]) connection.tell({ type: 'stop', job }).catch(() => {});
  }
}

function limit(): Limit {
  if (settings.limit === 'depth') return { type: 'depth', depth: settings.depth };
  if (settings.limit === 'time') return { type: 'time', ms: settings.seconds * 1000 };
  return { type: 'infinite' };
}
