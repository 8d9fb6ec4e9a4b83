// SPDX-License-Identifier: GPL-3.0-or-later
// What stands on the board is the position, however one got there.
import { makeBoardFen } from 'chessops/fen';
import { Board } from 'chessops/board';
import { parseSquare } from 'chessops/util';
import type { Color, Role } from 'chessops/types';
import type { Page } from '@playwright/test';
import { expect, moves, test } from './fixtures';
import { OPERA } from './games';
import { positionOf } from '../../src/lib/position';
import { parsePgn, startingPosition } from 'chessops/pgn';
import { parseSan } from 'chessops/san';

/** The pieces that the page draws, by where they are drawn. */
async function drawn(page: Page): Promise<string> {
  const pieces = await page.locator('cg-board').evaluate((board) => {
    const size = board.getBoundingClientRect();
    return [...board.querySelectorAll('piece:not(.ghost):not(.fading)')].map((piece) => {
      const box = piece.getBoundingClientRect();
      const file = Math.round(((box.left - size.left) / size.width) * 8);
      const rank = 7 - Math.round(((box.top - size.top) / size.height) * 8);
      const shown = getComputedStyle(piece).backgroundImage !== 'none' && box.width > 0;
      return { square: 'abcdefgh'[file]! + (rank + 1), name: piece.className, shown };
    });
  });
  const board = Board.empty();
  for (const { square, name, shown } of pieces) {
    const [color, role] = name.split(' ') as [Color, Role];
    if (shown) board.set(parseSquare(square)!, { color, role });
  }
  return makeBoardFen(board);
}

/** The squares on which something is painted: an empty one is of one colour in its middle. */
async function painted(page: Page): Promise<string> {
  const picture = (await page.locator('cg-board').screenshot()).toString('base64');
  return page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d')!;
    canvas.drawImage(image, 0, 0);
    const [width, height] = [image.width / 8, image.height / 8];
    const occupied = (file: number, row: number): boolean => {
      const middle = canvas.getImageData((file + 0.25) * width, (row + 0.25) * height, width / 2, height / 2).data;
      return middle.some((value, at) => Math.abs(value - middle[at % 4]!) > 40);
    };
    const rows = [0, 1, 2, 3, 4, 5, 6, 7];
    return rows.map((row) => rows.map((file) => (occupied(file, row) ? 'x' : '.')).join('')).join('/');
  }, picture);
}

/** The same from a diagram in FEN. */
const occupancy = (board: string): string =>
  board.replace(/\d/g, (empty) => '.'.repeat(Number(empty))).replace(/[a-z]/gi, 'x');

test('jumping through a game leaves every piece where it belongs', async ({ page, nue }) => {
  const game = parsePgn(OPERA)[0]!;
  const position = startingPosition(game.headers).unwrap();
  const boards = [makeBoardFen(position.board)];
  for (const { san } of game.moves.mainline()) {
    position.play(parseSan(position, san)!);
    boards.push(makeBoardFen(position.board));
  }
  expect(positionOf(`${boards.at(-1)} b k - 0 17`)?.isCheckmate()).toBe(true);

  await page.goto(`${nue.address}/analyse`);
  await page.getByRole('tab', { name: 'Open, share' }).click();
  await page.getByLabel(/Open a PGN or FEN/).fill(OPERA);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(moves(page)).toHaveCount(boards.length - 1);
  await page.getByRole('switch', { name: 'Engine' }).click(); // no arrows over the pieces
  const buttons = page.locator('.pair [data-node]');
  for (let jump = 0; jump < 40; jump++) {
    // Several jumps at once, the next while the pieces still move.
    const stops = [jump * 7, jump * 13 + 5, jump * 5 + 11].map((ply) => ply % (boards.length - 1));
    for (const ply of stops.slice(jump % 3)) await buttons.nth(ply).click();
    if (jump % 10 === 9) await page.emulateMedia({ colorScheme: jump % 20 === 9 ? 'dark' : 'light' });
    await expect.poll(() => drawn(page), { message: `after jump ${jump}` }).toBe(boards[stops.at(-1)! + 1]);
    await expect
      .poll(() => painted(page), { message: `painted after jump ${jump}` })
      .toBe(occupancy(boards[stops.at(-1)! + 1]!));
  }
});
