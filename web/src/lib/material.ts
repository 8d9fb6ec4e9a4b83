// SPDX-License-Identifier: GPL-3.0-or-later
// Who has more on the board, for the line of each player.
import type { Color, Role } from 'chessops/types';
import { positionOf } from './position';

const WORTH: Record<Exclude<Role, 'king'>, number> = { queen: 9, rook: 5, bishop: 3, knight: 3, pawn: 1 };

export interface Surplus {
  /** Pieces that this side has more of than the other, the most valuable first. */
  roles: Role[];
  /** How many pawns' worth this side is ahead; 0 or less if it is not. */
  lead: number;
}

export function surplusOf(fen: string, color: Color): Surplus {
  const board = positionOf(fen)?.board;
  const roles: Role[] = [];
  let lead = 0;
  if (!board) return { roles, lead };
  const other = color === 'white' ? 'black' : 'white';
  for (const [role, worth] of Object.entries(WORTH) as [Role, number][]) {
    const more = board.pieces(color, role).size() - board.pieces(other, role).size();
    lead += more * worth;
    for (let left = more; left > 0; left--) roles.push(role);
  }
  return { roles, lead };
}
