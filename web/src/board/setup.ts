// SPDX-License-Identifier: GPL-3.0-or-later
// A FEN in the parts that a person sets up, and back. Castling rights are given only where king and rook
// could have them, so that an idle tick does not make a position illegal.
import { parseBoardFen } from 'chessops/fen';

export type Right = 'K' | 'Q' | 'k' | 'q';

export interface Parts {
  board: string;
  turn: 'w' | 'b';
  rights: Record<Right, boolean>;
}

export function splitFen(fen: string): Parts {
  const [board = '8/8/8/8/8/8/8/8', turn = 'w', castling = '-'] = fen.trim().split(/\s+/);
  const rights: Record<Right, boolean> = { K: false, Q: false, k: false, q: false };
  const kings = kingFiles(board);
  for (const letter of castling) {
    if (letter in rights) rights[letter as Right] = true;
    else if (/[A-Ha-h]/.test(letter)) {
      const white = letter < 'a';
      const long = letter.toLowerCase().charCodeAt(0) - 97 < kings[white ? 'white' : 'black'];
      rights[(white ? (long ? 'Q' : 'K') : long ? 'q' : 'k') as Right] = true;
    }
  }
  return { board, turn: turn === 'b' ? 'b' : 'w', rights };
}

function kingFiles(fen: string): { white: number; black: number } {
  const board = parseBoardFen(fen);
  const file = (color: 'white' | 'black'): number => (board.isOk ? (board.value.kingOf(color) ?? 4) % 8 : 4);
  return { white: file('white'), black: file('black') };
}

/** The castling part of a FEN: wanted rights for which king and an outer rook stand on their first rank. */
export function castlingOf({ board: text, rights }: Parts): string {
  const parsed = parseBoardFen(text);
  if (parsed.isErr) return '-';
  const board = parsed.value;
  const possible = (right: Right): boolean => {
    const color = right < 'a' ? 'white' : 'black';
    const first = color === 'white' ? 0 : 56;
    const king = board.kingOf(color);
    if (king === undefined || king < first || king >= first + 8) return false;
    const files = [0, 1, 2, 3, 4, 5, 6, 7].filter((file) =>
      right.toLowerCase() === 'k' ? first + file > king : first + file < king,
    );
    return files.some((file) => {
      const piece = board.get(first + file);
      return piece?.role === 'rook' && piece.color === color;
    });
  };
  return (['K', 'Q', 'k', 'q'] as const).filter((right) => rights[right] && possible(right)).join('') || '-';
}
