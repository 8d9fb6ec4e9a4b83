// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard. Views bring their shortcuts while they are shown; the help lists exactly what works now.
import { untrack } from 'svelte';
import type { Key } from './texts.svelte';

export interface Shortcut {
  /** The keys as `KeyboardEvent.key` names them; any of them. */
  keys: readonly string[];
  text: Key;
  run(): void;
}

const groups: Shortcut[][] = [];
/** Counts up when the list changes. */
let version = $state(0);

/** Makes shortcuts work until the component that calls this is gone. */
export function shortcuts(list: Shortcut[]): void {
  $effect(() => {
    groups.push(list);
    untrack(() => (version += 1));
    return () => {
      groups.splice(groups.indexOf(list), 1);
      untrack(() => (version += 1));
    };
  });
}

export function allShortcuts(): Shortcut[] {
  void version;
  return groups.flat();
}

/** Whether the key is meant for what has the focus rather than for the page. */
function belongsToField(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  if (!target) return false;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.isContentEditable) return true;
  const pressable = target.closest('button, a, summary, [role=slider]') !== null;
  return pressable && (event.key === ' ' || event.key === 'Enter');
}

export function handleKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  if (belongsToField(event) || document.querySelector('dialog[open]')) return;
  for (const shortcut of [...groups].reverse().flat()) {
    if (!shortcut.keys.includes(event.key)) continue;
    event.preventDefault();
    shortcut.run();
    return;
  }
}
