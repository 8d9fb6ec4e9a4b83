// SPDX-License-Identifier: GPL-3.0-or-later
// Nue's own pieces, drawn on a field of 64 by 64: flat silhouettes on one common foot, told apart by their
// heads even when they are small. A second set shows letters on discs, for those who learn or teach.
import type { Role } from 'chessops/types';
import type { Letters } from '../lib/notation';

const FOOT = 'M17 56h30a3 3 0 0 0 3-3c0-3-2-5-5-6H19c-3 1-5 3-5 6a3 3 0 0 0 3 3z';

/** The silhouette of each piece above the foot, and the lines drawn on it. */
const BODIES: Record<Role, { body: string; lines?: string }> = {
  pawn: {
    body: 'M32 15a8.5 8.5 0 0 1 5.4 15c-.2 7 2.6 12.5 6.6 17H20c4-4.5 6.8-10 6.6-17A8.5 8.5 0 0 1 32 15z',
    lines: 'M25.5 31h13',
  },
  knight: {
    body: 'M21 47c-.5-9.5 8-12 8.5-19.5-3.2 3.7-7.2 4.3-10.3 6.9-1.5 1.3-3.6 1.2-4.8-.4l-1.6-2.2c-.8-1.1-.8-2.5-.1-3.6 2.3-3.7 4.5-8 7.7-11-.2-3.3.6-6.3 2.7-8.7l4.7 4.6C40 13.4 48.5 22 48.5 36c0 4.2-.9 7.9-2.3 11z',
    lines: 'M25 20.5h.1M31 18c6.5 1.5 10.5 7.5 11 15',
  },
  bishop: {
    body: 'M32 6.5a3.3 3.3 0 0 1 2.3 5.7C41.5 16.8 45.5 23.5 45.5 29c0 6-3.7 9.6-6.5 12l3 6H22l3-6c-2.8-2.4-6.5-6-6.5-12 0-5.5 4-12.2 11.2-16.8A3.3 3.3 0 0 1 32 6.5z',
    lines: 'M37 17.5L31.5 27M24.5 41h15',
  },
  rook: {
    body: 'M16.5 12.5h7.5v5h4.8v-5h6.4v5h4.8v-5h7.5V26l-5 4v12l4 5H17.5l4-5V30l-5-4z',
    lines: 'M21.5 30h21M21.5 42h21',
  },
  queen: {
    body: 'M32 8a3.6 3.6 0 0 1 1.9 6.6L39.5 29l6.7-12.5a3.4 3.4 0 1 1 3.3 1L46 47H18l-3.5-29.5a3.4 3.4 0 1 1 3.3-1L24.5 29l5.6-14.4A3.6 3.6 0 0 1 32 8z',
    lines: 'M17.5 40c9.5-3 19.5-3 29 0',
  },
  king: {
    body: 'M30 5h4v4h4v4h-4v5c8.5-3.5 17.5.5 17.5 9.5 0 7-5.5 12-7.5 19.5H20c-2-7.5-7.5-12.5-7.5-19.5C12.5 18.5 21.5 14.5 30 18v-5h-4V9h4z',
    lines: 'M32 18v14M18.5 40c9-3 18-3 27 0',
  },
};

const INKS = {
  white: { fill: '#fdfbf5', edge: '#33393c', line: '#33393c' },
  black: { fill: '#3b4347', edge: '#15191b', line: '#d9dedb' },
} as const;

type Side = keyof typeof INKS;

function silhouette(role: Role, side: Side): string {
  const { fill, edge, line } = INKS[side];
  const { body, lines } = BODIES[role];
  return (
    `<g fill="${fill}" stroke="${edge}" stroke-width="2.2" stroke-linejoin="round"><path d="${body}"/><path d="${FOOT}"/></g>` +
    (lines ? `<path d="${lines}" fill="none" stroke="${line}" stroke-width="2.6" stroke-linecap="round"/>` : '')
  );
}

const LETTER: Record<Letters, Record<Role, string>> = {
  english: { pawn: '', knight: 'N', bishop: 'B', rook: 'R', queen: 'Q', king: 'K' },
  german: { pawn: '', knight: 'S', bishop: 'L', rook: 'T', queen: 'D', king: 'K' },
};

function disc(role: Role, side: Side, letters: Letters): string {
  const { fill, edge } = INKS[side];
  const ink = side === 'white' ? edge : '#fdfbf5';
  const radius = role === 'pawn' ? 13 : 24;
  const letter = LETTER[letters][role];
  return (
    `<circle cx="32" cy="32" r="${radius}" fill="${fill}" stroke="${edge}" stroke-width="2.5"/>` +
    (letter &&
      `<text x="32" y="43" text-anchor="middle" font-family="Georgia,serif" font-weight="700" font-size="32" fill="${ink}">${letter}</text>`)
  );
}

/** A style sheet that gives the pieces of a set their pictures; the third set comes with chessground. */
export function pieceSheet(set: 'nue' | 'letters', letters: Letters): string {
  const rules: string[] = [];
  for (const side of Object.keys(INKS) as Side[]) {
    for (const role of Object.keys(BODIES) as Role[]) {
      const inner = set === 'nue' ? silhouette(role, side) : disc(role, side, letters);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">${inner}</svg>`;
      const url = `url('data:image/svg+xml,${encodeURIComponent(svg)}')`;
      rules.push(`:root[data-pieces='${set}'] .cg-wrap piece.${role}.${side}{background-image:${url}}`);
    }
  }
  return rules.join('\n');
}
