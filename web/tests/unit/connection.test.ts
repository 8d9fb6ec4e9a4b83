// SPDX-License-Identifier: GPL-3.0-or-later
import { expect, test } from 'vitest';
import { Connection, Refused, type Socket } from '../../src/lib/connection';
import { Outbox } from '../../src/lib/outbox';
import type { Request } from '../../src/lib/messages';

class FakeSocket implements Socket {
  sent: { id: number; do: Request }[] = [];
  onopen: (() => void) | null = null;
  onclose: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { id: number; do: Request });
  }
  close(): void {
    this.onclose?.();
  }
  say(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}

class FakeStorage {
  values = new Map<string, string>();
  getItem(key: string): string | null {
    return this.values.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.values.set(key, value);
  }
}

function setUp(storage = new FakeStorage()) {
  const sockets: FakeSocket[] = [];
  const later: (() => void)[] = [];
  const outbox = new Outbox(storage);
  const open = (): Socket => (sockets.push(new FakeSocket()), sockets.at(-1)!);
  const connection = new Connection(open, outbox, undefined, (work) => later.push(work));
  connection.connect();
  return { connection, sockets, later, outbox, storage };
}

const edit = (operation: string): Request => ({
  type: 'edit',
  study: 'study1',
  operation,
  change: { type: 'set_title', title: operation },
});

test('what was asked before the connection is sent with it, in order', async () => {
  const { connection, sockets } = setUp();
  const first = connection.keep('a', edit('a'));
  void connection.keep('b', edit('b'));
  expect(sockets[0]!.sent).toEqual([]);
  sockets[0]!.onopen!();
  expect(sockets[0]!.sent.map((message) => (message.do as { operation: string }).operation)).toEqual(['a', 'b']);
  sockets[0]!.say({ type: 'done', id: sockets[0]!.sent[0]!.id, answer: null });
  expect(await first).toBeNull();
});

test('what was not answered is sent again after a lost connection, what was answered is not', () => {
  const { connection, sockets, later, outbox } = setUp();
  sockets[0]!.onopen!();
  void connection.keep('a', edit('a'));
  void connection.keep('b', edit('b'));
  sockets[0]!.say({ type: 'done', id: sockets[0]!.sent[0]!.id, answer: null });
  sockets[0]!.close();
  expect(outbox.all().map(({ name }) => name)).toEqual(['b']);
  later.shift()!();
  sockets[1]!.onopen!();
  expect(sockets[1]!.sent.map((message) => (message.do as { operation: string }).operation)).toEqual(['b']);
});

test('a page that was closed leaves its changes to the next one', () => {
  const { connection, storage } = setUp();
  void connection.keep('a', edit('a'));
  const next = setUp(storage);
  next.sockets[0]!.onopen!();
  expect(next.sockets[0]!.sent.map((message) => (message.do as { operation: string }).operation)).toEqual(['a']);
});

test('a refusal ends a change, unless it only means not now', async () => {
  const { connection, sockets, later, outbox } = setUp();
  sockets[0]!.onopen!();
  const change = connection.keep('a', edit('a'));
  const { id } = sockets[0]!.sent[0]!;
  sockets[0]!.say({ type: 'refused', id, why: 'too_many', reason: 'slow down' });
  expect(outbox.all().length).toBe(1);
  later.shift()!();
  expect(sockets[0]!.sent.length).toBe(2);
  sockets[0]!.say({ type: 'refused', id, why: 'unknown', reason: 'no such study' });
  await expect(change).rejects.toBeInstanceOf(Refused);
  expect(outbox.all()).toEqual([]);
});

test('views ask again on every connection, and their old questions are forgotten', () => {
  const { connection, sockets, later } = setUp();
  connection.whenOpen(() => void connection.tell({ type: 'watch_game', game: 'game01' }).catch(() => {}));
  sockets[0]!.onopen!();
  sockets[0]!.close();
  later.shift()!();
  sockets[1]!.onopen!();
  expect([sockets[0]!.sent.length, sockets[1]!.sent.length]).toEqual([1, 1]);
});
