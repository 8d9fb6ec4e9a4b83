// SPDX-License-Identifier: GPL-3.0-or-later
// Names that this page makes up for games, studies, nodes and operations, so that a request sent twice is
// known to be one: 12 characters of 64 are more than enough for one person's lifetime.

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

export function newName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => ALPHABET[byte & 63]).join('');
}
