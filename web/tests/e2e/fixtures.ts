// SPDX-License-Identifier: GPL-3.0-or-later
// What the tests share: a running program, and how a person uses a board.
import { test as base, expect, type Page } from '@playwright/test';
import { Program } from './program';

export { expect };

export const test = base.extend<{ nue: Program; failures: string[] }>({
  nue: async ({}, use) => {
    const program = await new Program().start();
    await use(program);
    await program.end();
  },
  // Any error that the page does not catch fails the test.
  failures: [
    async ({ page }, use) => {
      const failures: string[] = [];
      page.on('pageerror', (error) => failures.push(error.message));
      await use(failures);
      expect(failures).toEqual([]);
    },
    { auto: true },
  ],
});

/** The middle of a square on the page, whichever way the board stands. */
export async function squareAt(page: Page, square: string): Promise<{ x: number; y: number }> {
  const board = page.locator('cg-board');
  const box = (await board.boundingBox())!;
  const black = await page.locator('.cg-wrap.orientation-black').count();
  const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1]) - 1];
  const [x, y] = black ? [7 - file, rank] : [file, 7 - rank];
  return { x: box.x + ((x + 0.5) * box.width) / 8, y: box.y + ((y + 0.5) * box.height) / 8 };
}

/**
 * Waits until the page has heard of a move. The board tells it from a timer, and a busy browser lets the next click pass
 * before; nobody's hand is that fast.
 */
const heard = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => void setTimeout(done, 20)));

export async function clickMove(page: Page, from: string, to: string): Promise<void> {
  for (const square of [from, to]) {
    const { x, y } = await squareAt(page, square);
    await page.mouse.click(x, y);
  }
  await heard(page);
}

export async function dragMove(page: Page, from: string, to: string): Promise<void> {
  const [start, end] = [await squareAt(page, from), await squareAt(page, to)];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 3 });
  await page.mouse.up();
  await heard(page);
}

/** Types a move into the field for moves. */
export async function typeMove(page: Page, move: string): Promise<void> {
  const field = page.getByLabel('Enter a move');
  await expect(field).toBeEnabled();
  await field.fill(move);
  await field.press('Enter');
}

/** The moves of the main line, as the list shows them. */
export const moves = (page: Page) => page.locator('.pair [data-node] > span:first-child');

/** Begins a game with the form; `fen` where it should begin elsewhere. */
export async function beginGame(page: Page, nue: Program, fen = ''): Promise<void> {
  await page.goto(`${nue.address}/play`);
  await page.getByLabel('Strength of Nue').fill('1000');
  if (fen) {
    await page.getByRole('radio', { name: 'From a FEN' }).check();
    await page.getByLabel('FEN', { exact: true }).fill(fen);
  }
  await page.getByRole('button', { name: 'Begin' }).click();
  await expect(page.locator('cg-board')).toBeVisible();
}
