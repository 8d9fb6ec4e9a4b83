// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluation looks like to people. All scores are White's.
import type { Score } from './messages';

/** How the win percentage grows with centipawns; the constant is the one lichess published. */
const STEEPNESS = 0.00368208;

/** White's expected points in per cent. */
export function winPercent(score: Score): number {
  if (score.type === 'mate') return score.value > 0 ? 100 : 0;
  const cp = Math.max(-1000, Math.min(1000, score.value));
  return 50 + 50 * (2 / (1 + Math.exp(-STEEPNESS * cp)) - 1);
}

/** "+0.35", "−1.20", "#4", "−#2"; a mate that stands on the board is "#". */
export function scoreText(score: Score): string {
  const { type, value } = score;
  if (type === 'mate') return value === 0 ? '#' : `${value < 0 ? '−' : ''}#${Math.abs(value)}`;
  const pawns = Math.abs(value) / 100;
  const sign = value > 0 ? '+' : value < 0 ? '−' : '';
  return sign + (pawns >= 10 ? pawns.toFixed(1) : pawns.toFixed(2));
}

/** The same where there is little room: one digit after the point. */
export function shortScore(score: Score): string {
  const text = scoreText(score.type === 'cp' ? { type: 'cp', value: Math.round(score.value / 10) * 10 } : score);
  return text.replace(/(\.\d)0$/, '$1');
}

/** Large counts in few characters: 950, 12.3k, 4.5M, 1.2G. */
export function shortCount(count: number): string {
  const units = ['', 'k', 'M', 'G', 'T'];
  let [value, unit] = [count, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return (unit === 0 || value >= 100 ? Math.round(value).toString() : value.toFixed(1)) + units[unit];
}

/**
 * How much a line is preferred to the best one, from 1 (as good) towards 0: the arrow's width.
 * Ten points of win percentage make a line look a third as attractive.
 */
export function preference(best: Score, other: Score, turn: 'white' | 'black'): number {
  const lost = (winPercent(best) - winPercent(other)) * (turn === 'white' ? 1 : -1);
  return Math.exp(-Math.max(0, lost) / 9);
}

/** Milliseconds as a clock: 1:05:09, 4:07, and tenths below ten seconds. */
export function clockText(milliseconds: number): string {
  const left = Math.max(0, milliseconds);
  if (left < 10_000) return `0:0${(Math.floor(left / 100) / 10).toFixed(1)}`;
  const seconds = Math.floor(left / 1000);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number): string => n.toString().padStart(2, '0');
  return h ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}
