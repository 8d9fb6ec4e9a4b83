// SPDX-License-Identifier: GPL-3.0-or-later
// The 960 starting positions by their customary number (Scharnagl's numbering: bishops, queen, knights).

const KNIGHTS: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 2],
  [0, 3],
  [0, 4],
  [1, 2],
  [1, 3],
  [1, 4],
  [2, 3],
  [2, 4],
  [3, 4],
];

/** The starting position with a number from 0 to 959; 518 is the usual one. */
export function chess960Fen(number: number): string {
  const rank: string[] = Array<string>(8).fill('');
  const put = (piece: string, free: number): void => {
    const empty = rank.flatMap((there, file) => (there ? [] : [file]));
    rank[empty[free]!] = piece;
  };
  rank[(number % 4) * 2 + 1] = 'B';
  rank[(Math.floor(number / 4) % 4) * 2] = 'B';
  put('Q', Math.floor(number / 16) % 6);
  const [first, second] = KNIGHTS[Math.floor(number / 96)]!;
  // The second knight first: placing it does not move the first one's free square.
  put('N', second);
  put('N', first);
  for (const piece of ['R', 'K', 'R']) put(piece, 0);
  const white = rank.join('');
  const rooks = rank
    .flatMap((piece, file) => (piece === 'R' ? ['ABCDEFGH'[file]!] : []))
    .reverse()
    .join('');
  const rights = number === 518 ? 'KQkq' : rooks + rooks.toLowerCase();
  return `${white.toLowerCase()}/pppppppp/8/8/8/8/PPPPPPPP/${white} w ${rights} - 0 1`;
}
