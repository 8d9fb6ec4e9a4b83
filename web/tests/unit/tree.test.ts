// SPDX-License-Identifier: GPL-3.0-or-later
import { expect, test } from 'vitest';
import type { Change } from '../../src/lib/messages';
import { INITIAL_FEN } from '../../src/lib/position';
import { rowsOf } from '../../src/lib/rows';
import { ROOT, Tree } from '../../src/lib/tree';

const add = (node: string, parent: string, uci: string): Change => ({ type: 'add_move', node, parent, uci });

function sample(): Tree {
  const tree = new Tree(INITIAL_FEN, false);
  tree.apply(add('a', ROOT, 'e2e4'), 'e4');
  tree.apply(add('b', 'a', 'e7e5'), 'e5');
  tree.apply(add('c', 'b', 'g1f3'), 'Nf3');
  tree.apply(add('d', 'a', 'c7c5'), 'c5');
  tree.apply(add('e', 'd', 'g1f3'), 'Nf3');
  return tree;
}

const shape = (tree: Tree): string =>
  JSON.stringify([...tree.nodes.values()].map(({ id, children }) => [id, children]));

test('a change applied twice changes nothing more', () => {
  const changes: Change[] = [
    add('x', 'c', 'b8c6'),
    { type: 'set_comment', node: 'c', text: 'good' },
    { type: 'set_nags', node: 'c', nags: [1] },
    { type: 'delete', node: 'e' },
  ];
  for (const change of changes) {
    const tree = sample();
    tree.apply(change);
    const once = shape(tree);
    tree.apply(change);
    expect(shape(tree)).toBe(once);
  }
});

test('the same move again is another name of the node', () => {
  const tree = sample();
  tree.apply(add('twin', 'a', 'e7e5'), 'e5');
  expect(tree.get('twin')?.id).toBe('b');
  tree.apply(add('f', 'twin', 'b1c3'), 'Nc3');
  expect(tree.get('b')?.children).toEqual(['c', 'f']);
});

test('positions, paths and the main line', () => {
  const tree = sample();
  expect(tree.fenOf('c')).toBe('rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2');
  expect(tree.path('e').map(({ id }) => id)).toEqual(['a', 'd', 'e']);
  expect(tree.mainFrom(ROOT).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect([tree.isMain('c'), tree.isMain('e')]).toEqual([true, false]);
});

test('promotion and deletion', () => {
  const tree = sample();
  tree.apply({ type: 'make_main', node: 'e' });
  expect(tree.mainFrom(ROOT).map(({ id }) => id)).toEqual(['a', 'd', 'e']);
  tree.apply({ type: 'promote', node: 'b' });
  expect(tree.get('a')?.children).toEqual(['b', 'd']);
  tree.apply({ type: 'delete', node: 'b' });
  expect([tree.get('b'), tree.get('c')]).toEqual([undefined, undefined]);
  expect(tree.get('a')?.children).toEqual(['d']);
});

test('rows break where a comment or a variation stands', () => {
  const tree = sample();
  tree.apply({ type: 'set_comment', node: 'a', text: 'Best by test.' });
  const rows = rowsOf(tree).map((row) =>
    row.kind === 'pair'
      ? `${row.number} ${row.white?.san ?? '…'} ${row.black?.san ?? ''}`.trim()
      : `${row.comment}(${row.variations.map(({ id }) => id)})`,
  );
  expect(rows).toEqual(['1 e4', 'Best by test.()', '1 … e5', '(d)', '2 Nf3']);
});

test('news about a known node do not undo what was written meanwhile', () => {
  const tree = sample();
  tree.apply({ type: 'set_comment', node: 'c', text: 'mine' });
  const opening = { eco: 'C40', name: "King's Knight Opening" };
  tree.insert({ id: 'c', parent: 'b', uci: 'g1f3', san: 'Nf3', comment: '', nags: [], shapes: [], opening });
  expect(tree.get('c')).toMatchObject({ comment: 'mine', opening, children: [] });
});
