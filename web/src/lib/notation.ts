// SPDX-License-Identifier: GPL-3.0-or-later
// How a move is shown. Everything is made from SAN and UCI together, so no position is needed.
import type { Played } from './position';

export const STYLES = ['san', 'figurine', 'long', 'uci'] as const;
export type Style = (typeof STYLES)[number];
export const LETTERS = ['english', 'german'] as const;
export type Letters = (typeof LETTERS)[number];

const GERMAN: Record<string, string> = { K: 'K', Q: 'D', R: 'T', B: 'L', N: 'S' };
const FIGURINE: Record<string, string> = { K: '♔', Q: '♕', R: '♖', B: '♗', N: '♘' };
/** Asks for the plain glyph: some systems would draw a picture otherwise. */
const AS_TEXT = '\uFE0E';

function withLetters(san: string, letter: (english: string) => string): string {
  return san.replace(/[KQRBN]/g, letter);
}

/** Long notation: Ng1-f3, e4xd5, e7-e8=Q+. Castling stays what it is. */
function long({ uci, san }: Played): string {
  if (san.startsWith('O-O')) return san;
  const piece = /^[KQRBN]/.exec(san)?.[0] ?? '';
  const tail = /(=[QRBN])?[+#]?$/.exec(san)?.[0] ?? '';
  return piece + uci.slice(0, 2) + (san.includes('x') ? 'x' : '-') + uci.slice(2, 4) + tail;
}

/** A move as the settings want it. */
export function write(move: Played, style: Style, letters: Letters): string {
  if (style === 'uci') return move.uci;
  const text = style === 'long' ? long(move) : move.san;
  if (text.startsWith('O-O')) return text;
  if (style === 'figurine') return withLetters(text, (piece) => FIGURINE[piece]! + AS_TEXT);
  return letters === 'german' ? withLetters(text, (piece) => GERMAN[piece]!) : text;
}

/** "12." before a move of White, "12…" before one of Black. */
export const numbered = (fullMove: number, white: boolean): string => `${fullMove}${white ? '.' : '…'}`;
