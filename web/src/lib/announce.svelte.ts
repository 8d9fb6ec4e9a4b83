// SPDX-License-Identifier: GPL-3.0-or-later
// What a screen reader is told. One polite region for the whole page: the last sentence wins, and the same
// sentence twice is made to differ, as readers are silent about a text that did not change.

export const announcement = $state({ text: '' });

export function announce(text: string): void {
  announcement.text = text === announcement.text ? text + '\u00A0' : text;
}
