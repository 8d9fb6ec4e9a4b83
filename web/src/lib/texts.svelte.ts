// SPDX-License-Identifier: GPL-3.0-or-later
// The page's words. English comes with the page, other languages are fetched when they are wanted.
import english from '../texts/en.json';
import { settings } from './settings.svelte';

export type Key = keyof typeof english;
type Texts = Record<Key, string>;
type Values = Record<string, string | number>;

const loaded: Partial<Record<string, Texts>> = $state.raw({ en: english });
let current: Texts = $state.raw(english);

/** Makes a language the page's own; the page goes on in the old one until it is there. */
export async function speak(language: string): Promise<void> {
  if (!loaded[language] && language === 'de') loaded.de = (await import('../texts/de.json')).default;
  current = loaded[language] ?? english;
}

/** The text of a key, with {name} replaced by the value of that name. */
export function t(key: Key, values: Values = {}): string {
  return fill(current[key] ?? english[key] ?? key, values);
}

/** The text of a key that depends on a number: `key.one`, `key.other`. */
export function tn(key: string, n: number, values: Values = {}): string {
  const form = new Intl.PluralRules(settings.language).select(n) === 'one' ? 'one' : 'other';
  return t(`${key}.${form}` as Key, { n: n.toLocaleString(settings.language), ...values });
}

/** The text of a key made at run time, such as a reason the server gave; undefined if there is none. */
export function maybe(key: string, values: Values = {}): string | undefined {
  const text = current[key as Key] ?? english[key as Key];
  return text === undefined ? undefined : fill(text, values);
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}
