// SPDX-License-Identifier: GPL-3.0-or-later
// The page's one WebSocket. A request is a promise that lives as long as it must: when the connection is
// lost it comes back by itself, and everything unanswered is sent again in the old order. Which requests
// outlive the page is the outbox's business.
import type { Answer, Refusal, Request, ServerMessage } from './messages';
import type { Outbox, Waiting } from './outbox';

export type State = 'connecting' | 'open' | 'lost';
export type ServerEvent = Exclude<ServerMessage, { type: 'done' } | { type: 'refused' }>;

/** Why the server did not do what it was asked for. */
export class Refused extends Error {
  constructor(
    readonly why: Refusal,
    reason: string,
  ) {
    super(reason);
  }
}

/** What is needed of a WebSocket; tests bring their own. */
export interface Socket {
  send(text: string): void;
  close(): void;
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
}

interface Pending {
  request: Request;
  /** Its name in the outbox, if it is kept there. */
  kept?: string;
  /** Ends with its connection: whoever asked will ask again on the next one. */
  fleeting?: boolean;
  done(answer: Answer | null): void;
  failed(reason: Error): void;
}

const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
/** Refusals that mean "not now": a change that must not be lost is sent again after a while. */
const LATER: readonly Refusal[] = ['too_many', 'unavailable'];
const RETRY = 1000;

export class Connection {
  state: State = 'connecting';
  private socket: Socket | undefined;
  private lastId = 0;
  private wait = FIRST_WAIT;
  private readonly pending = new Map<number, Pending>();
  private readonly listeners = new Set<(event: ServerEvent) => void>();
  private readonly resumers = new Set<() => void>();

  constructor(
    private readonly open: () => Socket,
    private readonly outbox: Outbox,
    private readonly changed: (state: State) => void = () => {},
    private readonly later: (work: () => void, ms: number) => void = (work, ms) => void setTimeout(work, ms),
  ) {
    for (const { name, request } of outbox.all()) this.enqueue(request, name);
  }

  connect(): void {
    const socket = this.open();
    this.socket = socket;
    socket.onopen = () => {
      this.wait = FIRST_WAIT;
      this.become('open');
      // Changes first, in order; then the views ask again for what they watch.
      for (const [id, { request }] of [...this.pending]) this.transmit(id, request);
      for (const resume of this.resumers) resume();
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(String(data)) as ServerMessage);
    socket.onclose = () => {
      if (this.socket !== socket) return;
      for (const [id, { fleeting }] of [...this.pending]) if (fleeting) this.pending.delete(id);
      this.become('lost');
      this.later(() => this.connect(), this.wait);
      this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    };
  }

  /** Asks; the answer may come after a lost connection came back. */
  ask(request: Request): Promise<Answer | null> {
    return this.enqueue(request);
  }

  /** Asks for a change that must not be lost, under a name that makes it happen once. */
  keep(name: string, request: Request): Promise<Answer | null> {
    this.outbox.add({ name, request });
    return this.enqueue(request, name);
  }

  /** Asks for something that ends with the connection; views ask again with `whenOpen`. */
  tell(request: Request): Promise<Answer | null> {
    return this.state === 'open' ? this.enqueue(request, undefined, true) : Promise.reject(new Error('not connected'));
  }

  /** Changes that the server has not confirmed, oldest first. */
  unanswered(): readonly Waiting[] {
    return this.outbox.all();
  }

  listen(listener: (event: ServerEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Calls now if connected, and after every connection. */
  whenOpen(resume: () => void): () => void {
    this.resumers.add(resume);
    if (this.state === 'open') resume();
    return () => this.resumers.delete(resume);
  }

  private enqueue(request: Request, kept?: string, fleeting = false): Promise<Answer | null> {
    const id = ++this.lastId;
    const answer = new Promise<Answer | null>((done, failed) => {
      this.pending.set(id, { request, kept, fleeting, done, failed });
    });
    answer.catch(() => {}); // a refusal nobody waits for is no error of the page
    if (this.state === 'open') this.transmit(id, request);
    return answer;
  }

  private transmit(id: number, request: Request): void {
    this.socket?.send(JSON.stringify({ id, do: request }));
  }

  private receive(message: ServerMessage): void {
    if (message.type !== 'done' && message.type !== 'refused') {
      for (const listener of this.listeners) listener(message);
      return;
    }
    const pending = this.pending.get(message.id);
    if (!pending) return;
    if (message.type === 'refused' && pending.kept && LATER.includes(message.why)) {
      this.later(() => this.state === 'open' && this.transmit(message.id, pending.request), RETRY);
      return;
    }
    this.pending.delete(message.id);
    if (pending.kept) this.outbox.drop(pending.kept);
    if (message.type === 'done') pending.done(message.answer);
    else pending.failed(new Refused(message.why, message.reason));
  }

  private become(state: State): void {
    this.state = state;
    this.changed(state);
  }
}
