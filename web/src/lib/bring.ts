// SPDX-License-Identifier: GPL-3.0-or-later
// Positions and games from outside: pasted, dropped or opened as a file.
import { fenIn } from './fen';
import { connection } from './link.svelte';
import type { Imported } from './messages';
import { newName } from './names';
import { needsChess960 } from './position';
import { go } from './route.svelte';

/** Beyond this a PGN goes by HTTP, which may carry more than a message. */
const BY_MESSAGE = 24_000;

/** Opens a FEN or a PGN as a study and shows it; answers what could not be read. */
export async function bring(text: string): Promise<string[]> {
  const fen = fenIn(text);
  const study = newName();
  if (fen) {
    const request = {
      type: 'new_study',
      study,
      title: null,
      fen,
      chess960: needsChess960(fen),
      pgn: null,
      game: null,
    } as const;
    await connection.keep(`new-${study}`, request);
  } else if (text.length <= BY_MESSAGE && !severalGames(text)) {
    const request = {
      type: 'new_study',
      study,
      title: null,
      fen: null,
      chess960: false,
      pgn: text,
      game: null,
    } as const;
    await connection.ask(request);
  } else {
    const response = await fetch('/api/import', {
      method: 'POST',
      body: text,
      headers: { 'content-type': 'text/plain' },
    });
    if (!response.ok) throw new Error(await response.text());
    const imported = (await response.json()) as Imported;
    if (!imported.studies[0]) throw new Error(imported.problems[0] ?? 'no game in the file');
    go(imported.studies.length === 1 ? { view: 'analyse', study: imported.studies[0] } : { view: 'home' });
    return imported.problems;
  }
  go({ view: 'analyse', study });
  return [];
}

const severalGames = (pgn: string): boolean => (pgn.match(/^\[Event /gm)?.length ?? 0) > 1;
