// SPDX-License-Identifier: GPL-3.0-or-later
// A session without a mouse.
import { expect, moves, test } from './fixtures';

test('everything by keyboard: a game, an analysis, the help', async ({ page, nue }) => {
  await page.goto(nue.address);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toBeHidden();

  await page.keyboard.press('2');
  await page.getByLabel('Strength of Nue').focus();
  for (let stops = 0; stops < 12; stops++) {
    await page.keyboard.press('Tab');
    if (await page.getByRole('button', { name: 'Begin' }).evaluate((button) => button === document.activeElement))
      break;
  }
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/game\//);
  // Views come when they are first wanted: a key pressed before them means nothing yet.
  await expect(page.locator('cg-board')).toBeVisible();

  // On the board: from e1 to e2, take, to e4, put.
  await page.keyboard.press('b');
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('status').filter({ hasText: 'e2, White pawn' })).toBeAttached();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(moves(page).first()).toHaveText('e4');
  await expect(moves(page)).toHaveCount(2);

  await page.keyboard.press('Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('m');
  await page.keyboard.type('Nf3');
  await page.keyboard.press('Enter');
  await expect(moves(page)).toHaveCount(4);

  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('3');
  await expect(page.getByRole('switch', { name: 'Engine' })).toBeVisible();
  await page.keyboard.press('m');
  await page.keyboard.type('d4');
  await page.keyboard.press('Enter');
  await page.keyboard.type('d5');
  await page.keyboard.press('Enter');
  await expect(moves(page)).toHaveText(['d4', 'd5']);
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('c');
  await page.keyboard.type('Solid.');
  await page.keyboard.press('Shift+Tab');
  await expect(page.locator('.aside .comment')).toHaveText('Solid.');
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press('Home');
  await expect(page.locator('[data-node][aria-current]')).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(page.locator('[data-node][aria-current]')).toHaveText(/d4/);
});

test('moves are read out', async ({ page, nue }) => {
  await page.goto(`${nue.address}/analyse`);
  const entry = page.getByLabel('Enter a move');
  await expect(entry).toBeEnabled();
  await page.keyboard.press('m');
  await expect(entry).toBeFocused();
  await page.keyboard.type('Nf3');
  await page.keyboard.press('Enter');
  await expect(page.locator('[aria-live]')).toHaveText(/knight to f3/);
});
