// SPDX-License-Identifier: GPL-3.0-or-later
// Ways from elsewhere into a study.
import { connection } from '../lib/link.svelte';
import { newName } from '../lib/names';
import { go } from '../lib/route.svelte';

/** Makes a study of a game; the same game leads to the same study. */
export async function openAsStudy(game: string): Promise<void> {
  const key = `nue.studyOf.${game}`;
  const study = localStorage.getItem(key) ?? newName();
  localStorage.setItem(key, study);
  await connection.keep(`new-${study}`, {
    type: 'new_study',
    study,
    title: null,
    fen: null,
    chess960: false,
    pgn: null,
    game,
  });
  go({ view: 'analyse', study });
}
