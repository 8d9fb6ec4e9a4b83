// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of the analysis.
import { flushSync } from 'svelte';
import type { Shortcut } from '../lib/keys.svelte';
import type { Desk } from './desk.svelte';

const focus = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();

export function studyShortcuts(desk: Desk, setUp: (fen: string) => void): Shortcut[] {
  const writeComment = (): void => {
    desk.tab = 'notes';
    flushSync(); // the field comes into being with the tab, and the next key belongs to it
    focus('#comment');
  };
  const makeReport = (): void => {
    desk.tab = 'report';
    desk.report.begin();
  };
  return [
    { keys: ['ArrowLeft'], text: 'keys.back', run: desk.steps.back },
    { keys: ['ArrowRight'], text: 'keys.forward', run: desk.steps.forward },
    { keys: ['ArrowUp'], text: 'keys.variationUp', run: () => desk.sibling(-1) },
    { keys: ['ArrowDown'], text: 'keys.variationDown', run: () => desk.sibling(1) },
    { keys: ['Home'], text: 'keys.first', run: desk.steps.first },
    { keys: ['End'], text: 'keys.last', run: desk.steps.last },
    { keys: ['f'], text: 'keys.flip', run: desk.steps.flip },
    { keys: ['e', ' '], text: 'keys.engine', run: () => desk.toggleEngine() },
    { keys: ['t'], text: 'keys.threat', run: () => desk.toggleThreat() },
    { keys: ['n'], text: 'keys.bestMove', run: () => desk.best?.uci[0] && desk.move(desk.best.uci[0]) },
    { keys: ['l'], text: 'keys.readLine', run: () => desk.readLine() },
    { keys: ['c'], text: 'keys.comment', run: writeComment },
    { keys: ['r'], text: 'keys.report', run: makeReport },
    { keys: ['s'], text: 'keys.setUp', run: () => setUp(desk.study.fen) },
    { keys: ['Delete'], text: 'keys.delete', run: () => desk.remove() },
    { keys: ['m'], text: 'keys.entry', run: () => focus('#move-entry') },
    { keys: ['b'], text: 'keys.board', run: () => focus('[role=application]') },
  ];
}
