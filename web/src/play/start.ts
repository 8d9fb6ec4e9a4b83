// SPDX-License-Identifier: GPL-3.0-or-later
// Beginning a game: from the form, and again with the same wishes.
import { connection } from '../lib/link.svelte';
import type { NewGame } from '../lib/messages';
import { newName } from '../lib/names';
import { go } from '../lib/route.svelte';

export type Wishes = Omit<NewGame, 'game'>;

/** Begins a game and shows it; an error says why the server did not want it. */
export async function startGame(wishes: Wishes): Promise<void> {
  const game = newName();
  await connection.ask({ type: 'new_game', game, ...wishes });
  localStorage.setItem('nue.lastGame', game);
  go({ view: 'play', game });
}
