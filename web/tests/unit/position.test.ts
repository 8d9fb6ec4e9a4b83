// SPDX-License-Identifier: GPL-3.0-or-later
import { expect, test } from 'vitest';
import { chess960Fen } from '../../src/lib/chess960';
import { fenIn } from '../../src/lib/fen';
import {
  destinations,
  fenAfter,
  INITIAL_FEN,
  legalMove,
  needsChess960,
  passed,
  play,
  positionOf,
  promotes,
  readMove,
  spell,
} from '../../src/lib/position';

const CASTLING = 'r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1';

test('an illegal position is none', () => {
  expect(positionOf('8/8/8/8/8/8/8/8 w - - 0 1')).toBeUndefined();
  expect(positionOf('nonsense')).toBeUndefined();
  expect(positionOf(INITIAL_FEN)?.turn).toBe('white');
});

test('castling is written for its kind of chess, and read in both forms', () => {
  for (const uci of ['e1g1', 'e1h1']) {
    expect(play(positionOf(CASTLING)!, uci)).toEqual({ uci: 'e1g1', san: 'O-O' });
    expect(play(positionOf(CASTLING)!, uci, true)).toEqual({ uci: 'e1h1', san: 'O-O' });
  }
  expect(fenAfter(CASTLING, 'e1c1')).toBe('r3k2r/8/8/8/8/8/8/2KR3R b kq - 1 1');
});

test('moves as people type them', () => {
  const start = (): NonNullable<ReturnType<typeof positionOf>> => positionOf(INITIAL_FEN)!;
  for (const text of ['Nf3', 'Sf3', 'nf3', 'g1f3', ' Nf3 ']) expect(readMove(start(), text)).toBe('g1f3');
  for (const text of ['0-0', 'O-O', 'o-o', 'e1g1']) expect(readMove(positionOf(CASTLING)!, text)).toBe('e1g1');
  expect(readMove(start(), 'e5')).toBeUndefined();
  expect(readMove(start(), '')).toBeUndefined();
});

test('a line ends before its first illegal move', () => {
  expect(spell(INITIAL_FEN, ['e2e4', 'e7e5', 'e4e5']).map(({ san }) => san)).toEqual(['e4', 'e5']);
});

test('promotions are noticed', () => {
  const position = positionOf('8/P6k/8/8/8/8/8/K7 w - - 0 1')!;
  expect(promotes(position, 'a7', 'a8')).toBe(true);
  expect(promotes(position, 'a1', 'b1')).toBe(false);
  expect(legalMove(position, 'a7a8')).toBeUndefined();
  expect(legalMove(position, 'a7a8q')).toBeDefined();
});

test('Chess960 is recognised by its castling rights', () => {
  expect(needsChess960(INITIAL_FEN)).toBe(false);
  expect(needsChess960(chess960Fen(0))).toBe(true);
  expect(destinations(positionOf(CASTLING)!, false).get('e1')).toContain('g1');
  expect(destinations(positionOf(CASTLING)!, true).get('e1')).not.toContain('g1');
});

test('all 960 starting positions are legal, different, and number 518 is the usual one', () => {
  const all = Array.from({ length: 960 }, (_, number) => chess960Fen(number));
  expect(new Set(all).size).toBe(960);
  expect(all.every((fen) => positionOf(fen))).toBe(true);
  expect(all[518]).toBe(INITIAL_FEN);
});

test('a FEN is known from a PGN, and completed', () => {
  expect(fenIn('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w')).toBe(
    'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1',
  );
  expect(fenIn('1. e4 e5')).toBeUndefined();
  expect(fenIn('8/8/8/8/8/8/8/8 w - - 0 1')).toBeUndefined();
});

test('passing changes the turn, unless the king is in check', () => {
  expect(passed(INITIAL_FEN)).toBe('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1');
  expect(passed('4k3/8/8/8/4R3/8/8/4K3 b - - 0 1')).toBeUndefined();
});
