// SPDX-License-Identifier: GPL-3.0-or-later
// Puts the chosen pieces on every board of the page.
import { settings } from '../lib/settings.svelte';
import { pieceSheet } from './shapes';

export function wearPieces(): void {
  const sheet = document.head.appendChild(document.createElement('style'));
  $effect(() => {
    document.documentElement.dataset.pieces = settings.pieces;
    document.documentElement.dataset.board = settings.board;
    sheet.textContent = settings.pieces === 'cburnett' ? '' : pieceSheet(settings.pieces, settings.letters);
  });
}
