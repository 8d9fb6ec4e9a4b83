// SPDX-License-Identifier: GPL-3.0-or-later
// The heat map on the board: what each piece is worth to the network, or how that changed with a move.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Explanation } from '../lib/messages';
import { shade, signed } from './colors';

export interface Worth {
  square: string;
  pawns: number;
}

export const worths = (explanation: Explanation): Worth[] =>
  explanation.pieces.map(({ square, pawns }) => ({ square, pawns }));

/**
 * How much the worth of each piece changed. The moved piece is compared with itself on its old square; a piece
 * that was captured is a change on the square where it was taken, together with the taker's own.
 */
export function changes(before: Explanation, after: Explanation, uci: string): Worth[] {
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const old = new Map(before.pieces.map(({ square, pawns }) => [square, pawns]));
  return after.pieces.map(({ square, pawns }) => {
    const was = square === to && old.has(from) ? old.get(from)! : (old.get(square) ?? 0);
    return { square, pawns: pawns - was };
  });
}

/** Shapes for the board: a wash below the piece, the number above it. */
export function heatShapes(list: readonly Worth[], full: number, digits = 1): DrawShape[] {
  return list.flatMap(({ square, pawns }) => {
    const orig = square as 'a1';
    const wash = `<rect width="100" height="100" fill="${shade(pawns, full)}"/>`;
    const number =
      `<text x="50" y="95" text-anchor="middle" font-size="26" font-weight="700" font-family="system-ui,sans-serif" ` +
      `fill="#111" stroke="#fff" stroke-width="5" paint-order="stroke">${signed(pawns, digits)}</text>`;
    return [
      { orig, customSvg: { html: wash }, below: true },
      { orig, customSvg: { html: number } },
    ];
  });
}
