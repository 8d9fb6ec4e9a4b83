// SPDX-License-Identifier: GPL-3.0-or-later
// What a person has chosen, kept in this browser. Unknown or outdated values fall back to the default.
import { LETTERS, STYLES, type Letters, type Style } from './notation';

export const THEMES = ['system', 'light', 'dark'] as const;
export const LANGUAGES = ['en', 'de'] as const;
export const PIECES = ['nue', 'cburnett', 'letters'] as const;
export const BOARDS = ['mist', 'wood', 'moss', 'dusk', 'print'] as const;

export const LIMITS = ['infinite', 'depth', 'time'] as const;

export interface Settings {
  theme: (typeof THEMES)[number];
  language: (typeof LANGUAGES)[number];
  pieces: (typeof PIECES)[number];
  board: (typeof BOARDS)[number];
  style: Style;
  letters: Letters;
  coordinates: boolean;
  hints: boolean;
  animation: boolean;
  sound: boolean;
  volume: number;
  arrows: boolean;
  lines: number;
  limit: (typeof LIMITS)[number];
  depth: number;
  seconds: number;
  threads: number;
  hash: number;
}

const german = typeof navigator !== 'undefined' && navigator.language.startsWith('de');

export const DEFAULTS: Settings = {
  theme: 'system',
  language: german ? 'de' : 'en',
  pieces: 'nue',
  board: 'mist',
  style: 'san',
  letters: german ? 'german' : 'english',
  coordinates: true,
  hints: true,
  animation: true,
  sound: true,
  volume: 60,
  arrows: true,
  lines: 3,
  limit: 'infinite',
  depth: 24,
  seconds: 10,
  threads: 1,
  hash: 64,
};

const CHOICES: Partial<Record<keyof Settings, readonly unknown[]>> = {
  theme: THEMES,
  language: LANGUAGES,
  pieces: PIECES,
  board: BOARDS,
  style: STYLES,
  letters: LETTERS,
  limit: LIMITS,
};

/** The settings that a stored text holds; what does not fit is left at its default. */
export function readSettings(text: string | null): Settings {
  const settings: Settings = { ...DEFAULTS };
  let stored: Record<string, unknown> = {};
  try {
    stored = (JSON.parse(text ?? '{}') as Record<string, unknown> | null) ?? {};
  } catch {
    return settings;
  }
  for (const key of Object.keys(DEFAULTS) as (keyof Settings)[]) {
    const value = stored[key];
    const fits = typeof value === typeof DEFAULTS[key] && (CHOICES[key]?.includes(value) ?? true);
    if (fits) Object.assign(settings, { [key]: value });
  }
  return settings;
}

const KEY = 'nue.settings';
const storage = typeof localStorage === 'undefined' ? undefined : localStorage;

export const settings: Settings = $state(readSettings(storage?.getItem(KEY) ?? null));

/** Writes the settings down whenever one changes, and gives the page the chosen theme. */
export function keepSettings(): void {
  $effect(() => storage?.setItem(KEY, JSON.stringify(settings)));
  $effect(() => {
    const root = document.documentElement;
    if (settings.theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = settings.theme;
    root.lang = settings.language;
  });
}
