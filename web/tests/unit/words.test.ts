// SPDX-License-Identifier: GPL-3.0-or-later
// The texts: both languages have the same keys and places to fill, and every key that the page uses exists.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import german from '../../src/texts/de.json';
import english from '../../src/texts/en.json';

const places = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test('both languages have the same keys', () => {
  expect(Object.keys(german).sort()).toEqual(Object.keys(english).sort());
});

test('both languages have the same places to fill, and no empty text', () => {
  for (const [key, text] of Object.entries(english)) {
    const other = german[key as keyof typeof german];
    expect(places(other), key).toEqual(places(text));
    expect(text.trim() && other.trim(), key).not.toBe('');
  }
});

test('every key in the sources exists', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.(svelte|ts)$/.test(name));
  for (const file of files) {
    const source = readFileSync(join('src', file), 'utf8');
    for (const [, call, key] of source.matchAll(/\b(t|tn)\('([\w.]+)'/g)) {
      const wanted = call === 'tn' ? [`${key}.one`, `${key}.other`] : [key!];
      for (const name of wanted) expect(Object.keys(english), `${file}: ${name}`).toContain(name);
    }
  }
});

test('every text is used', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => /\.(svelte|ts)$/.test(name));
  const sources = files.map((file) => readFileSync(join('src', file), 'utf8')).join('\n');
  // Keys made at run time, by the part before what is filled in.
  const made = [...sources.matchAll(/`([a-z]+\.(?:\w+\.)*)\$\{/g)].map((match) => match[1]!);
  const named = [...sources.matchAll(/named\('(\w+)'/g)].map((match) => `${match[1]}.`);
  for (const key of Object.keys(english)) {
    const bare = key.replace(/\.(one|other)$/, '');
    const used = sources.includes(`'${bare}'`) || [...made, ...named].some((prefix) => key.startsWith(prefix));
    expect(used, key).toBe(true);
  }
});
