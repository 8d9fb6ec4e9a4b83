// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that change something and have not been acknowledged. They are kept in this browser, so that
// neither a lost connection nor a closed page loses them: whoever opens the page next sends them again, in
// order. Every one carries a name of its own, so the server does each once.
import type { Request } from './messages';

const KEY = 'nue.outbox';
/** More than this many waiting changes means that nobody will ever come for the oldest. */
const LIMIT = 500;

export interface Waiting {
  name: string;
  request: Request;
}

export class Outbox {
  private waiting: Waiting[];

  constructor(private readonly storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.waiting = read(storage.getItem(KEY));
  }

  all(): readonly Waiting[] {
    return this.waiting;
  }

  add(entry: Waiting): void {
    this.waiting = [...this.waiting, entry].slice(-LIMIT);
    this.write();
  }

  /** Forgets a request that was answered, whatever the answer. */
  drop(name: string): void {
    const left = this.waiting.filter((entry) => entry.name !== name);
    if (left.length === this.waiting.length) return;
    this.waiting = left;
    this.write();
  }

  private write(): void {
    this.storage.setItem(KEY, JSON.stringify(this.waiting));
  }
}

function read(text: string | null): Waiting[] {
  try {
    const value: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(value) ? (value as Waiting[]) : [];
  } catch {
    return [];
  }
}
