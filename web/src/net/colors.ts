// SPDX-License-Identifier: GPL-3.0-or-later
// Colours for numbers. Two hues for the two signs, chosen so that they differ in lightness for eyes that do
// not tell red from green: blue is good for White or strengthens, orange is good for Black or weakens.

export type Rgb = readonly [number, number, number];

export const PLUS: Rgb = [38, 112, 184];
export const MINUS: Rgb = [222, 110, 20];

/** A colour with an opacity that grows with the size of a number; `full` is the size that is opaque. */
export function shade(value: number, full: number, strongest = 0.85): string {
  const [r, g, b] = value >= 0 ? PLUS : MINUS;
  const share = Math.min(1, Math.sqrt(Math.abs(value) / (full || 1)));
  return `rgba(${r},${g},${b},${(share * strongest).toFixed(3)})`;
}

/** "+1.24", "−0.30", "0.00". */
export function signed(value: number, digits = 2): string {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : (value > 0 ? '+' : '−') + text;
}
