// SPDX-License-Identifier: GPL-3.0-or-later
// One study: the tree, the node that is looked at, and the way of every change to the server. A study that
// nobody has touched is a draft: it gets its place on the server with the first change.
import { connection } from '../lib/link.svelte';
import type { Change, Edited, Request, Score, StudyState } from '../lib/messages';
import { newName } from '../lib/names';
import { fenOf, INITIAL_FEN, needsChess960, play, positionOf, type Played } from '../lib/position';
import { ROOT, Tree, type TreeNode } from '../lib/tree';

export class Study {
  /** Counts up with every change of the tree, which itself is not watched. */
  revision = $state(0);
  current = $state(ROOT);
  missing = $state(false);
  /** Opened and answered, or a draft. */
  ready = $state(false);
  /** Changes that the server has not confirmed yet. */
  unsaved = $state(0);
  /** Counts up when a position's evaluation became known or changed. */
  private learned = $state(0);
  private readonly evaluations = new Map<string, { score: Score; depth: number }>();
  private tree_: Tree;
  private draft: boolean;
  /** Changes of this page that have not come back as events yet, by their operation. */
  private readonly own = new Map<string, Change>();

  readonly node = $derived.by<TreeNode>(() => this.tree.get(this.current) ?? this.tree.get(ROOT)!);
  readonly fen = $derived(this.tree.fenOf(this.current));
  readonly path = $derived(this.tree.path(this.current));
  readonly opening = $derived(this.path.findLast((node) => node.opening)?.opening ?? undefined);

  constructor(
    readonly id: string,
    draftFen?: string,
    private readonly created: (id: string) => void = () => {},
  ) {
    this.draft = draftFen !== undefined;
    this.ready = this.draft;
    const fen = draftFen ?? INITIAL_FEN;
    this.tree_ = new Tree(fen, needsChess960(fen));
  }

  /** The tree; reading it here makes the reader follow its changes. */
  get tree(): Tree {
    void this.revision;
    return this.tree_;
  }

  /** Follows the study until the returned function is called. */
  watch(): () => void {
    const unlisten = connection.listen((event) => {
      if (event.type === 'study' && event.study === this.id) this.adopt(event);
      if (event.type === 'evaluations' && event.study === this.id) {
        for (const { node, score, depth } of event.evaluations) this.learn(node, score, depth);
      }
      if (event.type === 'edited' && event.study === this.id) this.edited(event);
      if (event.type === 'deleted' && event.document.id === this.id) this.missing = true;
    });
    const unresume = connection.whenOpen(() => this.reopen());
    return () => {
      unlisten();
      unresume();
      connection.tell({ type: 'close', document: { kind: 'study', id: this.id } }).catch(() => {});
    };
  }

  /** Keeps what is known about a node's position; deeper searches replace shallower ones. */
  learn(node: string, score: Score, depth: number): void {
    const known = this.evaluations.get(node);
    if (known && known.depth > depth) return;
    this.evaluations.set(node, { score, depth });
    if (known?.score.type !== score.type || known.score.value !== score.value) this.learned += 1;
  }

  evaluationOf(node: string): Score | undefined {
    void this.learned;
    return this.evaluations.get(node)?.score;
  }

  private reopen(): void {
    if (this.draft) return;
    // What was confirmed is in the tree that comes; what was not is sent before the question, but an answer
    // that is on its way may not know it yet.
    this.own.clear();
    for (const { request } of connection.unanswered()) {
      if (request.type === 'edit' && request.study === this.id) this.own.set(request.operation, request.change);
    }
    connection.tell({ type: 'open_study', study: this.id }).catch((error: Error) => {
      this.missing = 'why' in error && error.why === 'unknown';
    });
  }

  /** Takes the server's tree, and puts what it has not heard of yet on top of it. */
  private adopt(state: StudyState): void {
    const first = !this.ready;
    this.tree_ = Tree.from(state);
    for (const change of this.own.values()) this.applyHere(change);
    this.ready = true;
    if (first) this.current = remembered(this.id) ?? ROOT;
    if (!this.tree_.get(this.current)) this.current = ROOT;
    this.revision += 1;
  }

  private edited({ operation, change, node }: Edited): void {
    if (!this.own.delete(operation)) this.applyHere(change);
    if (node && change.type === 'add_move' && node.id !== change.node && this.tree_.nodes.has(change.node)) {
      return this.reopen(); // the move had come from elsewhere under another name
    }
    if (node) this.tree_.insert(node);
    if (!this.tree_.get(this.current)) this.current = ROOT;
    this.revision += 1;
  }

  private applyHere(change: Change): void {
    let san = '';
    if (change.type === 'add_move') {
      const position = positionOf(this.tree_.fenOf(change.parent));
      san = (position && play(position, change.uci)?.san) ?? '';
    }
    this.tree_.apply(change, san);
  }

  /** Changes the study, here at once and on the server as soon as it can be reached. */
  edit(change: Change): void {
    this.applyHere(change);
    this.revision += 1;
    if (this.draft) this.create();
    const operation = newName();
    this.own.set(operation, change);
    this.send(operation, { type: 'edit', study: this.id, operation, change });
  }

  /** Gives a draft its place on the server. */
  private create(): void {
    this.draft = false;
    const { startFen: fen, chess960 } = this.tree_;
    const request = { type: 'new_study', study: this.id, title: null, fen, chess960, pgn: null, game: null } as const;
    this.send(`new-${this.id}`, request);
    this.created(this.id);
  }

  private send(name: string, request: Request): void {
    this.unsaved += 1;
    void connection
      .keep(name, request)
      .catch(() => this.reopen())
      .finally(() => (this.unsaved -= 1));
  }

  goTo(name: string): void {
    this.current = this.tree_.get(name)?.id ?? ROOT;
    if (!this.draft) sessionStorage.setItem(`nue.at.${this.id}`, this.current);
  }

  /** The move and the position that it leads to, if it is legal at the node looked at. */
  peek(uci: string): (Played & { fen: string }) | undefined {
    const position = positionOf(this.tree_.fenOf(this.current));
    const played = position && play(position, uci, this.tree_.chess960);
    return played && { ...played, fen: fenOf(position) };
  }

  /** Goes on with a move that `peek` found legal, along a known line or as a new one. */
  playMove({ uci }: Played): void {
    const parent = this.current;
    const known = this.tree_.childBy(parent, uci);
    if (known) return this.goTo(known.id);
    const node = newName();
    this.edit({ type: 'add_move', node, parent, uci });
    this.goTo(node);
  }
}

const remembered = (id: string): string | null => sessionStorage.getItem(`nue.at.${id}`);
