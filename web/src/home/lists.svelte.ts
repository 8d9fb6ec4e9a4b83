// SPDX-License-Identifier: GPL-3.0-or-later
// The lists of games and studies, page by page, with a search that runs on the server.
import type { Route } from '../lib/route.svelte';
import { t } from '../lib/texts.svelte';
import type { GameList, GameSummary, StudyList, StudySummary } from '../lib/messages';

/** One entry, whatever it is. */
export type Entry = ({ kind: 'game' } & GameSummary) | ({ kind: 'study' } & StudySummary);

export const idOf = (entry: Entry): string => (entry.kind === 'game' ? entry.game : entry.study);

export const routeTo = (entry: Entry): Route =>
  entry.kind === 'game' ? { view: 'play', game: entry.game } : { view: 'analyse', study: entry.study };

export const titleOf = (entry: Entry): string =>
  entry.kind === 'game'
    ? t('home.against', { level: entry.elo ?? t('level.full') })
    : entry.title || t('study.untitled');

async function load<T>(path: string, query: string, cursor: string | null): Promise<T> {
  const parameters = new URLSearchParams();
  if (query) parameters.set('query', query);
  if (cursor) parameters.set('cursor', cursor);
  const response = await fetch(`/api/${path}?${parameters}`);
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

export class Listing {
  entries: Entry[] = $state.raw([]);
  more = $state(false);
  loading = $state(false);
  failed = $state(false);
  /** Answered at least once. */
  loaded = $state(false);
  private cursor: string | null = null;
  /** Answers to an older question are dropped. */
  private question = 0;

  constructor(readonly kind: 'game' | 'study') {}

  async find(query: string): Promise<void> {
    this.cursor = null;
    await this.fetch(query, []);
  }

  async next(query: string): Promise<void> {
    await this.fetch(query, this.entries);
  }

  remove(id: string): void {
    this.entries = this.entries.filter((entry) => idOf(entry) !== id);
  }

  private async fetch(query: string, before: Entry[]): Promise<void> {
    const question = ++this.question;
    this.loading = true;
    this.failed = false;
    try {
      const [entries, cursor] = this.kind === 'game' ? await this.games(query) : await this.studies(query);
      if (question !== this.question) return;
      this.entries = [...before, ...entries];
      this.cursor = cursor;
      this.more = cursor !== null;
      this.loaded = true;
    } catch {
      this.failed = question === this.question;
    } finally {
      if (question === this.question) this.loading = false;
    }
  }

  private async games(query: string): Promise<[Entry[], string | null]> {
    const { games, cursor } = await load<GameList>('games', query, this.cursor);
    return [games.map((game) => ({ kind: 'game', ...game })), cursor];
  }

  private async studies(query: string): Promise<[Entry[], string | null]> {
    const { studies, cursor } = await load<StudyList>('studies', query, this.cursor);
    return [studies.map((study) => ({ kind: 'study', ...study })), cursor];
  }
}
