// SPDX-License-Identifier: GPL-3.0-or-later
import { expect, test } from 'vitest';
import { write } from '../../src/lib/notation';

const knight = { uci: 'g1f3', san: 'Nf3' };
const promotion = { uci: 'e7d8q', san: 'exd8=Q+' };
const castling = { uci: 'e1g1', san: 'O-O+' };

test('a move in every style', () => {
  expect(write(knight, 'san', 'english')).toBe('Nf3');
  expect(write(knight, 'san', 'german')).toBe('Sf3');
  expect(write(knight, 'figurine', 'german')).toBe('♘\uFE0Ef3');
  expect(write(knight, 'long', 'english')).toBe('Ng1-f3');
  expect(write(knight, 'long', 'german')).toBe('Sg1-f3');
  expect(write(knight, 'uci', 'german')).toBe('g1f3');
});

test('captures, promotions and checks keep their signs', () => {
  expect(write(promotion, 'long', 'english')).toBe('e7xd8=Q+');
  expect(write(promotion, 'san', 'german')).toBe('exd8=D+');
  expect(write({ uci: 'b4c3', san: 'Bxc3#' }, 'long', 'german')).toBe('Lb4xc3#');
});

test('castling is the same in all letters', () => {
  for (const style of ['san', 'figurine', 'long'] as const) expect(write(castling, style, 'german')).toBe('O-O+');
});
