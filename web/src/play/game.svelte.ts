// SPDX-License-Identifier: GPL-3.0-or-later
// One game against the engine: what the server last said, the move that is on its way, and the ply that is
// looked at. The server decides; this only shows a move before the server has confirmed it.
import { announce } from '../lib/announce.svelte';
import { connection } from '../lib/link.svelte';
import type { Action, GameState, MoveText } from '../lib/messages';
import { newName } from '../lib/names';
import { play, positionOf, type Played } from '../lib/position';
import { sound, soundOf } from '../lib/sound';
import { spokenMove } from '../lib/spoken';
import { maybe, t } from '../lib/texts.svelte';
import { Tree } from '../lib/tree';

export class Game {
  state: GameState | undefined = $state.raw();
  /** The server does not know this game. */
  missing = $state(false);
  /** Shown but not yet confirmed. */
  sent: (Played & { ply: number }) | undefined = $state.raw();
  /** How many half-moves of the game are on the board. */
  ply = $state(0);
  hint: MoveText | undefined = $state.raw();
  /** Counts up when the board must be put back. */
  resets = $state(0);
  problem = $state('');
  private received = $state(0);

  readonly moves = $derived.by<Played[]>(() => {
    const played: Played[] = this.state?.moves ?? [];
    return this.sent && this.sent.ply === played.length ? [...played, this.sent] : played;
  });
  readonly tree = $derived.by(() => {
    const { start_fen: fen, chess960 } = this.state ?? { start_fen: '', chess960: false };
    const tree = new Tree(fen, chess960);
    this.moves.forEach(({ uci, san }, index) => {
      const parent = index ? `m${index}` : 'root';
      tree.insert({ id: `m${index + 1}`, parent, uci, san, comment: '', nags: [], shapes: [], opening: null });
    });
    return tree;
  });
  readonly fen = $derived(this.state ? this.tree.fenOf(this.ply ? `m${this.ply}` : 'root') : '');
  readonly atEnd = $derived(this.ply === this.moves.length);

  constructor(readonly id: string) {}

  /** Follows the game until the returned function is called. */
  watch(): () => void {
    const request = { type: 'watch_game', game: this.id } as const;
    const unlisten = connection.listen((event) => {
      if (event.type === 'game' && event.game === this.id) this.update(event);
      if (event.type === 'deleted' && event.document.id === this.id) this.missing = true;
    });
    const unresume = connection.whenOpen(() => {
      connection.tell(request).catch((error: Error) => (this.missing = 'why' in error && error.why === 'unknown'));
    });
    return () => {
      unlisten();
      unresume();
      connection.tell({ type: 'close', document: { kind: 'game', id: this.id } }).catch(() => {});
    };
  }

  private update(state: GameState): void {
    if (this.state && state.version < this.state.version) return;
    const before = this.state;
    const shown = this.moves.length;
    const follow = this.atEnd;
    this.state = state;
    this.received = performance.now();
    if (this.sent && this.sent.ply < state.moves.length) this.sent = undefined;
    if (follow || this.ply > state.moves.length || !before) this.ply = this.moves.length;
    if (!before) return;
    const last = state.moves.at(-1);
    if (last && state.moves.length > shown) {
      this.hint = undefined;
      sound(soundOf(last.san));
      announce(spokenMove(last));
    }
    if (state.result && !before.result) {
      sound('end');
      announce(`${last ? spokenMove(last) : ''}. ${this.verdict()}`);
    }
    if (state.draw_declined && !before.draw_declined) announce(t('play.drawDeclined'));
  }

  /** What is left on a clock at this moment of the page's own clock. */
  left(color: 'white' | 'black', now: number): number {
    const clock = this.state?.clock;
    if (!clock) return 0;
    const stood = color === 'white' ? clock.white_ms : clock.black_ms;
    return clock.running === color ? stood - Math.max(0, now - this.received) : stood;
  }

  /** How the game ended, in words. */
  verdict(): string {
    const result = this.state?.result;
    if (!result) return '';
    const winner = result.winner ? t(`result.${result.winner}`) : t('result.draw');
    return `${winner} ${maybe(`reason.${result.reason}`) ?? result.reason}`;
  }

  move(uci: string): void {
    const state = this.state;
    const position = state && positionOf(this.fen);
    const played = position && play(position, uci, state.chess960);
    if (!state || !played || !this.atEnd || state.result) {
      this.resets += 1;
      return;
    }
    this.sent = { ...played, ply: this.ply };
    const ply = this.ply;
    this.ply += 1;
    this.hint = undefined;
    sound(soundOf(played.san));
    announce(spokenMove(played));
    this.act({ type: 'move', ply, uci: played.uci }).catch(() => {
      this.sent = undefined;
      this.ply = this.moves.length;
      this.resets += 1;
    });
  }

  async act(action: Action): Promise<void> {
    this.problem = '';
    const operation = newName();
    try {
      await connection.keep(operation, { type: 'act', game: this.id, operation, action });
    } catch (error) {
      const why = (error as { why?: string }).why ?? '';
      this.problem = maybe(`refused.${why}`) ?? (error as Error).message;
      sound('error');
      throw error;
    }
  }

  async askHint(): Promise<void> {
    const answer = await connection.ask({ type: 'hint', game: this.id });
    if (answer?.type !== 'hint') return;
    this.hint = answer.move;
    announce(t('play.hintSaid', { move: spokenMove(answer.move) }));
  }
}
