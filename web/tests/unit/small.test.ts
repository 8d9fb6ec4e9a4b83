// SPDX-License-Identifier: GPL-3.0-or-later
// Small things that must not go wrong unnoticed.
import { expect, test } from 'vitest';
import { castlingOf, splitFen } from '../../src/board/setup';
import { chess960Fen } from '../../src/lib/chess960';
import { surplusOf } from '../../src/lib/material';
import { toggleNag } from '../../src/lib/nags';
import { newName } from '../../src/lib/names';
import { INITIAL_FEN } from '../../src/lib/position';
import { addressOf, routeOf, type Route } from '../../src/lib/route.svelte';
import { clockText, preference, scoreText, shortCount, shortScore, winPercent } from '../../src/lib/score';
import { DEFAULTS, readSettings } from '../../src/lib/settings.svelte';

const cp = (value: number) => ({ type: 'cp', value }) as const;
const mate = (value: number) => ({ type: 'mate', value }) as const;

test('scores as people read them', () => {
  expect([cp(35), cp(-120), cp(0), cp(1250), mate(4), mate(-2), mate(0)].map(scoreText)).toEqual([
    '+0.35',
    '−1.20',
    '0.00',
    '+12.5',
    '#4',
    '−#2',
    '#',
  ]);
  expect([cp(19), cp(-7), cp(-4), mate(3)].map(shortScore)).toEqual(['+0.2', '−0.1', '0.0', '#3']);
  expect([950, 12_340, 4_500_000, 123_456_789].map(shortCount)).toEqual(['950', '12.3k', '4.5M', '123M']);
});

test('win percentages are symmetric and grow', () => {
  expect(winPercent(cp(0))).toBe(50);
  expect(winPercent(cp(200)) + winPercent(cp(-200))).toBeCloseTo(100);
  expect(winPercent(cp(300))).toBeGreaterThan(winPercent(cp(200)));
  expect([winPercent(mate(3)), winPercent(mate(-3))]).toEqual([100, 0]);
});

test('a worse line is preferred less, from the mover’s view', () => {
  expect(preference(cp(50), cp(50), 'white')).toBe(1);
  expect(preference(cp(50), cp(-50), 'white')).toBeLessThan(0.5);
  expect(preference(cp(-50), cp(50), 'black')).toBeLessThan(0.5);
});

test('clocks', () => {
  expect([3_909_000, 247_000, 59_999, 9_950, 0, -5].map(clockText)).toEqual([
    '1:05:09',
    '4:07',
    '0:59',
    '0:09.9',
    '0:00.0',
    '0:00.0',
  ]);
});

test('addresses and routes are each other’s inverse', () => {
  const routes: Route[] = [
    { view: 'home' },
    { view: 'play' },
    { view: 'play', game: 'abc123' },
    { view: 'analyse', study: 'x-y_z1' },
    { view: 'analyse', fen: INITIAL_FEN },
    { view: 'network', fen: INITIAL_FEN, move: 'e2e4' },
    { view: 'settings' },
  ];
  for (const route of routes) {
    const { pathname, search } = new URL(addressOf(route), 'http://nue');
    expect(routeOf(pathname, search)).toEqual({ ...routeOf(pathname, search), ...route });
    expect(addressOf(routeOf(pathname, search))).toBe(addressOf(route));
  }
});

test('settings survive nonsense in the browser', () => {
  expect(readSettings(null)).toEqual(DEFAULTS);
  expect(readSettings('{{')).toEqual(DEFAULTS);
  expect(readSettings('null')).toEqual(DEFAULTS);
  expect(readSettings('{"theme":"dark","board":"lava","volume":"loud"}')).toEqual({ ...DEFAULTS, theme: 'dark' });
});

test('glyphs: one of a group, remarks beside each other, pressed again they go', () => {
  expect(toggleNag([1], 2)).toEqual([2]);
  expect(toggleNag([2], 16)).toEqual([2, 16]);
  expect(toggleNag([2, 16], 2)).toEqual([16]);
  expect(toggleNag([36], 40)).toEqual([36, 40]);
});

test('names are what the server accepts', () => {
  const names = Array.from({ length: 200 }, newName);
  expect(names.every((name) => /^[\w-]{12}$/.test(name))).toBe(true);
  expect(new Set(names).size).toBe(200);
});

test('castling rights are offered only where they can be', () => {
  expect(castlingOf(splitFen(INITIAL_FEN))).toBe('KQkq');
  expect(castlingOf(splitFen('4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1'))).toBe('K');
  expect(castlingOf(splitFen(chess960Fen(0)))).toBe('KQkq');
});

test('material is counted against the other side', () => {
  const fen = '4k3/pp6/8/8/8/8/P7/R3K3 w - - 0 1';
  expect(surplusOf(fen, 'white')).toEqual({ roles: ['rook'], lead: 4 });
  expect(surplusOf(fen, 'black')).toEqual({ roles: ['pawn'], lead: -4 });
});
