// SPDX-License-Identifier: GPL-3.0-or-later
// Telling a FEN from other texts.
import { positionOf } from './position';

/** The FEN that a text is, completed where its counters are missing; undefined if it is none. */
export function fenIn(text: string): string | undefined {
  const words = text.trim().split(/\s+/);
  if (words.length < 2 || words.length > 6 || words[0]!.split('/').length !== 8) return undefined;
  const defaults = ['', 'w', '-', '-', '0', '1'];
  const fen = [...words, ...defaults.slice(words.length)].join(' ');
  return positionOf(fen) ? fen : undefined;
}
