// SPDX-License-Identifier: GPL-3.0-or-later
// The main line of a tree as rows of two moves, broken where a comment or a variation stands between.
import { ROOT, type Tree, type TreeNode } from './tree';

export type Row =
  | { kind: 'pair'; number: number; white: TreeNode | undefined; black: TreeNode | undefined }
  | { kind: 'aside'; after: TreeNode; comment: string; variations: TreeNode[] };

/** The alternatives to a node: its later siblings. */
export function variationsOf(tree: Tree, node: TreeNode): TreeNode[] {
  const siblings = node.parent === null ? [] : (tree.get(node.parent)?.children ?? []);
  return siblings[0] === node.id ? siblings.slice(1).map((id) => tree.get(id)!) : [];
}

export function rowsOf(tree: Tree): Row[] {
  const rows: Row[] = [];
  let open: Extract<Row, { kind: 'pair' }> | undefined;
  for (const node of tree.mainFrom(ROOT)) {
    const { number, color } = tree.numberOf(node);
    if (color === 'black' && open) open.black = node;
    else {
      open = { kind: 'pair', number, white: undefined, black: undefined };
      open[color] = node;
      rows.push(open);
    }
    const variations = variationsOf(tree, node);
    if (node.comment || variations.length) {
      rows.push({ kind: 'aside', after: node, comment: node.comment, variations });
      open = undefined;
    } else if (color === 'black') open = undefined;
  }
  return rows;
}
