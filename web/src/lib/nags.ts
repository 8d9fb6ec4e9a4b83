// SPDX-License-Identifier: GPL-3.0-or-later
// Numeric annotation glyphs of the PGN standard that people use, with their sign. A move has at most one
// sign of the first group (its quality) and one of the second (what the position is worth).

export interface Nag {
  code: number;
  sign: string;
  group: 'quality' | 'position' | 'remark';
}

export const NAGS: readonly Nag[] = [
  { code: 3, sign: '!!', group: 'quality' },
  { code: 1, sign: '!', group: 'quality' },
  { code: 5, sign: '!?', group: 'quality' },
  { code: 6, sign: '?!', group: 'quality' },
  { code: 2, sign: '?', group: 'quality' },
  { code: 4, sign: '??', group: 'quality' },
  { code: 7, sign: '□', group: 'quality' },
  { code: 10, sign: '=', group: 'position' },
  { code: 13, sign: '∞', group: 'position' },
  { code: 14, sign: '+=', group: 'position' },
  { code: 15, sign: '=+', group: 'position' },
  { code: 16, sign: '±', group: 'position' },
  { code: 17, sign: '∓', group: 'position' },
  { code: 18, sign: '+−', group: 'position' },
  { code: 19, sign: '−+', group: 'position' },
  { code: 22, sign: '⊙', group: 'remark' },
  { code: 36, sign: '→', group: 'remark' },
  { code: 40, sign: '↑', group: 'remark' },
  { code: 132, sign: '⇆', group: 'remark' },
  { code: 138, sign: '⊕', group: 'remark' },
  { code: 146, sign: 'N', group: 'remark' },
];

const BY_CODE = new Map(NAGS.map((nag) => [nag.code, nag]));

/** The sign of a code; codes without one are shown as PGN writes them. */
export const nagSign = (code: number): string => BY_CODE.get(code)?.sign ?? `$${code}`;

/** The codes after pressing one: pressing again removes it, another of its group replaces it. */
export function toggleNag(codes: readonly number[], code: number): number[] {
  if (codes.includes(code)) return codes.filter((other) => other !== code);
  const group = BY_CODE.get(code)?.group;
  const kept = codes.filter((other) => group === 'remark' || BY_CODE.get(other)?.group !== group);
  return [...kept, code].sort((a, b) => a - b);
}
