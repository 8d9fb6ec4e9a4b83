// SPDX-License-Identifier: GPL-3.0-or-later
// What kind of game is wanted: the state of the form, kept for the next time, and the request it makes.
import { chess960Fen } from '../lib/chess960';
import { fenIn } from '../lib/fen';
import { link } from '../lib/link.svelte';
import { INITIAL_FEN, needsChess960 } from '../lib/position';
import type { Key } from '../lib/texts.svelte';
import type { Wishes } from './start';

const KEY = 'nue.newGame';
/** A position from elsewhere that the next form begins with. */
const FROM = 'nue.playFrom';

/** Minutes and seconds per move. */
export const CLOCKS: Record<string, readonly [number, number]> = {
  '1+0': [1, 0],
  '3+2': [3, 2],
  '5+3': [5, 3],
  '10+5': [10, 5],
  '30+20': [30, 20],
};

const LEVELS: readonly Key[] = ['level.beginner', 'level.casual', 'level.club', 'level.expert', 'level.master'];

const DEFAULTS = {
  full: false,
  elo: 1500,
  colour: 'white',
  clock: 'none',
  minutes: 10,
  increment: 5,
  start: 'standard',
  number: 518,
  fen: '',
};

function remembered(): Partial<typeof DEFAULTS> {
  try {
    return (JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<typeof DEFAULTS> | null) ?? {};
  } catch {
    return {};
  }
}

/** Has the next form begin with a position. */
export const playFrom = (fen: string): void => sessionStorage.setItem(FROM, fen);

export class Wish {
  form = $state({ ...DEFAULTS, ...remembered() });

  readonly bounds = $derived({ min: link.welcome?.min_elo ?? 1000, max: link.welcome?.max_elo ?? 2800 });
  readonly elo = $derived(Math.round(Math.min(this.bounds.max, Math.max(this.bounds.min, this.form.elo))));
  /** The strength in words. */
  readonly level = $derived.by<Key>(() => {
    const share = (this.elo - this.bounds.min) / (this.bounds.max - this.bounds.min);
    return this.form.full ? 'level.full' : LEVELS[Math.min(4, Math.floor(share * 5))]!;
  });
  /** Where the game would begin; empty while that is no legal position. */
  readonly fen = $derived.by(() => {
    const { start, number, fen } = this.form;
    if (start === 'chess960') return number >= 0 && number < 960 ? chess960Fen(Math.floor(number)) : '';
    return start === 'position' ? (fenIn(fen) ?? '') : INITIAL_FEN;
  });

  constructor() {
    const from = sessionStorage.getItem(FROM);
    if (!from) return;
    sessionStorage.removeItem(FROM);
    Object.assign(this.form, { start: 'position', fen: from });
  }

  keep(): void {
    localStorage.setItem(KEY, JSON.stringify(this.form));
  }

  request(): Wishes {
    const { full, colour, clock, start, minutes, increment } = this.form;
    const [base, more] = CLOCKS[clock] ?? [minutes, increment];
    return {
      elo: full ? null : this.elo,
      colour: colour === 'white' || colour === 'black' ? colour : null,
      clock: clock === 'none' ? null : { base_ms: Math.round(base * 60_000), increment_ms: Math.round(more * 1000) },
      fen: start === 'standard' ? null : this.fen,
      chess960: start === 'chess960' || (start === 'position' && needsChess960(this.fen)),
    };
  }
}
