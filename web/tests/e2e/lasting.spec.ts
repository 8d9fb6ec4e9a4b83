// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing is lost: reload, crash, restart.
import { beginGame, expect, moves, test, typeMove } from './fixtures';

test('a game goes on after a reload', async ({ page, nue }) => {
  await beginGame(page, nue);
  await typeMove(page, 'e4');
  await expect(moves(page)).toHaveCount(2);
  const before = await moves(page).allTextContents();
  await page.reload();
  await expect(moves(page)).toHaveText(before);
  await page.goto(nue.address);
  await page.getByRole('button', { name: /Continue/ }).click();
  await expect(moves(page)).toHaveText(before);
  await typeMove(page, 'd4');
  await expect(moves(page)).toHaveCount(4);
});

test('a game goes on after the server was killed', async ({ page, nue }) => {
  await beginGame(page, nue);
  await typeMove(page, 'e4');
  await expect(moves(page)).toHaveCount(2);
  const before = await moves(page).allTextContents();
  await nue.kill();
  await expect(page.getByText('No connection; trying again…').first()).toBeVisible();
  await typeMove(page, 'd4'); // while nobody listens
  await nue.start();
  await expect(moves(page)).toHaveCount(4);
  expect((await moves(page).allTextContents()).slice(0, 2)).toEqual(before);
  await expect(moves(page).nth(2)).toHaveText('d4');
});

test('a study keeps what was written while the server was dead, even if the page is closed', async ({
  page,
  nue,
  context,
}) => {
  await page.goto(`${nue.address}/analyse`);
  await typeMove(page, 'e4');
  await expect(page).toHaveURL(/\/study\//);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await nue.kill();
  await typeMove(page, 'e5');
  await page.getByLabel('Comment').fill('Written in the dark.');
  await page.getByLabel('Comment').blur();
  await expect(page.getByText(/wait for the server/)).toBeVisible();
  const address = page.url();
  await page.close();
  await nue.start();
  const next = await context.newPage();
  await next.goto(address);
  await expect(moves(next)).toHaveText(['e4', 'e5']);
  await expect(next.locator('.aside .comment')).toHaveText('Written in the dark.');
  await next.reload();
  await expect(moves(next)).toHaveText(['e4', 'e5']);
});

test('ten SIGKILLs in the middle of an analysis lose nothing', async ({ page, nue }) => {
  await page.goto(`${nue.address}/analyse`);
  const shuffle = ['Nf3', 'Nf6', 'Ng1', 'Ng8'];
  const played: string[] = [];
  for (let kill = 0; kill < 10; kill++) {
    for (let half = 0; half < 2; half++) {
      const move = shuffle[played.length % 4]!;
      await typeMove(page, move);
      played.push(move);
    }
    await page.getByLabel('Comment').fill(`after ${played.length} half-moves`);
    await page.getByLabel('Comment').blur();
    await nue.kill(); // whatever is under way
    await nue.start();
  }
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(moves(page)).toHaveText(played);
  const comments = Array.from({ length: 10 }, (_, index) => `after ${2 * index + 2} half-moves`);
  await expect(page.locator('.aside .comment')).toHaveText(comments);
});
