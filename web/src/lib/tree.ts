// SPDX-License-Identifier: GPL-3.0-or-later
// The tree of moves of a study, the same here and on the server. Changes are applied here at once and sent;
// applying one a second time changes nothing, so that it does not matter who was first.
import type { Change, Node, StudyState } from './messages';
import { fenAfter, moveNumberOf, turnOf, type Color } from './position';

export const ROOT = 'root';

export interface TreeNode extends Node {
  children: string[];
  /** The position after the move; made when somebody first asks. */
  fen?: string;
}

export class Tree {
  readonly nodes = new Map<string, TreeNode>();
  /** Names that turned out to mean a node which was there already. */
  private readonly aliases = new Map<string, string>();
  title: string;

  constructor(
    readonly startFen: string,
    readonly chess960: boolean,
    nodes: readonly Node[] = [],
    title = '',
  ) {
    this.title = title;
    this.nodes.set(ROOT, { ...blank(ROOT, null, '', ''), children: [] });
    for (const node of nodes) {
      if (node.id === ROOT) this.nodes.set(ROOT, { ...node, children: [] });
      else this.insert(node);
    }
  }

  static from(state: StudyState): Tree {
    return new Tree(state.start_fen, state.chess960, state.nodes, state.title);
  }

  get(name: string): TreeNode | undefined {
    return this.nodes.get(this.aliases.get(name) ?? name);
  }

  /** Replaces a node by a changed copy, so that whoever holds the old one sees that it is old. */
  private change(node: TreeNode, changes: Partial<TreeNode>): void {
    this.nodes.set(node.id, { ...node, ...changes });
  }

  /**
   * Adds a node as the server sent it. Of a node that is known only what the server alone can tell is taken over:
   * its comment may have been changed here while the message was on its way.
   */
  insert(node: Node): void {
    const known = this.nodes.get(node.id);
    if (known) return this.change(known, { san: node.san, opening: node.opening });
    const parent = node.parent === null ? undefined : this.get(node.parent);
    if (node.parent !== null && !parent) return;
    this.nodes.set(node.id, { ...node, children: [] });
    if (parent) this.change(parent, { children: [...parent.children, node.id] });
  }

  childBy(parent: string, uci: string): TreeNode | undefined {
    return this.get(parent)
      ?.children.map((id) => this.nodes.get(id)!)
      .find((node) => node.uci === uci);
  }

  /** The position of a node. */
  fenOf(name: string): string {
    const node = this.get(name);
    if (!node || node.parent === null) return this.startFen;
    return (node.fen ??= fenAfter(this.fenOf(node.parent), node.uci));
  }

  /** The nodes from the first move to this one, without the root. */
  path(name: string): TreeNode[] {
    const path: TreeNode[] = [];
    for (let node = this.get(name); node && node.parent !== null; node = this.get(node.parent)) path.unshift(node);
    return path;
  }

  /** The nodes from this one's first child along first children to the end. */
  mainFrom(name: string): TreeNode[] {
    const line: TreeNode[] = [];
    for (let next = this.get(name)?.children[0]; next; next = this.nodes.get(next)!.children[0]) {
      line.push(this.nodes.get(next)!);
    }
    return line;
  }

  /** Whether a node stands on the main line. */
  isMain(name: string): boolean {
    return this.path(name).every((node) => this.get(node.parent!)!.children[0] === node.id);
  }

  /** Who made the move of a node and which number it has. */
  numberOf(node: TreeNode): { number: number; color: Color } {
    const before = this.fenOf(node.parent ?? ROOT);
    return { number: moveNumberOf(before), color: turnOf(before) };
  }

  /** Applies a change; one that does not fit (any more) is passed over. `san` names the move of an addition. */
  apply(change: Change, san = ''): void {
    switch (change.type) {
      case 'add_move': {
        const parent = this.get(change.parent);
        if (!parent || this.get(change.node)) return;
        const twin = this.childBy(parent.id, change.uci);
        if (twin) this.aliases.set(change.node, twin.id);
        else this.insert(blank(change.node, parent.id, change.uci, san));
        return;
      }
      case 'delete':
        return this.remove(change.node);
      case 'promote':
        return this.promote(change.node, 1);
      case 'make_main':
        for (const node of this.path(change.node)) this.promote(node.id, Infinity);
        return;
      case 'set_title':
        this.title = change.title;
        return;
      case 'set_headers':
        return;
      default: {
        const node = this.get(change.node);
        if (!node) return;
        if (change.type === 'set_comment') this.change(node, { comment: change.text });
        else if (change.type === 'set_nags') this.change(node, { nags: change.nags });
        else this.change(node, { shapes: change.shapes });
      }
    }
  }

  private promote(name: string, places: number): void {
    const node = this.get(name);
    const parent = node && node.parent !== null ? this.get(node.parent) : undefined;
    if (!node || !parent) return;
    const at = parent.children.indexOf(node.id);
    const children = parent.children.filter((id) => id !== node.id);
    children.splice(Math.max(0, at - places), 0, node.id);
    this.change(parent, { children });
  }

  private remove(name: string): void {
    const node = this.get(name);
    if (!node || node.parent === null) return;
    const parent = this.get(node.parent);
    if (parent) this.change(parent, { children: parent.children.filter((id) => id !== node.id) });
    const doomed = [node.id];
    for (let id = doomed.pop(); id; id = doomed.pop()) {
      doomed.push(...(this.nodes.get(id)?.children ?? []));
      this.nodes.delete(id);
    }
  }
}

function blank(id: string, parent: string | null, uci: string, san: string): Node {
  return { id, parent, uci, san, comment: '', nags: [], shapes: [], opening: null };
}
