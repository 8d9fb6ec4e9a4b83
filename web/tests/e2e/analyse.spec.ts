// SPDX-License-Identifier: GPL-3.0-or-later
import { OPERA } from './games';
import { clickMove, dragMove, expect, moves, squareAt, test, typeMove } from './fixtures';

test('lines, variations, comments and glyphs, kept over a reload', async ({ page, nue }) => {
  await page.goto(`${nue.address}/analyse`);
  await dragMove(page, 'e2', 'e4');
  await clickMove(page, 'e7', 'e5');
  await dragMove(page, 'g1', 'f3');
  await expect(moves(page)).toHaveText(['e4', 'e5', 'Nf3']);
  const lines = page.getByRole('region', { name: 'Engine lines' });
  await expect(lines.locator('li b:not(.none)')).toHaveCount(3);
  await expect(lines).toContainText(/Depth \d+/);
  await expect(page.getByRole('img', { name: /^Evaluation/ })).toBeVisible();

  await page.keyboard.press('ArrowLeft');
  await typeMove(page, 'f4');
  await expect(page.locator('.variation [data-node]')).toHaveText('f4');
  await page.getByRole('button', { name: 'Interesting move' }).click();
  await page.getByLabel('Comment').fill('The romantic way.');
  await page.getByLabel('Comment').blur();
  await page.getByRole('button', { name: 'Main line' }).click();
  await expect(moves(page).nth(2)).toHaveText('f4');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  await page.reload();
  await expect(moves(page).nth(2)).toHaveText('f4');
  await expect(page.locator('.aside .comment').first()).toHaveText('The romantic way.');
  await expect(page.getByText(/King's Gambit/).first()).toBeVisible();
  await page.locator('.variation [data-node]').click();
  await page.keyboard.press('Delete');
  await expect(page.locator('.variation')).toHaveCount(0);
});

test('arrows are drawn, kept, and gone when asked', async ({ page, nue }) => {
  await page.goto(`${nue.address}/analyse`);
  const [from, to] = [await squareAt(page, 'g1'), await squareAt(page, 'f3')];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down({ button: 'right' });
  await page.mouse.move(to.x, to.y, { steps: 4 });
  await page.mouse.up({ button: 'right' });
  await expect(page).toHaveURL(/\/study\//);
  await page.reload();
  await expect(page.locator('.cg-shapes line[stroke="#15781B"]')).toHaveCount(1);
});

test('the engine can be switched off, and asked for more lines and for threats', async ({ page, nue }) => {
  await page.goto(`${nue.address}/analyse`);
  const lines = page.getByRole('region', { name: 'Engine lines' });
  await expect(lines.locator('li b:not(.none)')).toHaveCount(3);
  await lines.getByRole('button', { name: 'Engine options' }).click();
  await lines.getByLabel('Lines').selectOption('5');
  await expect(lines.locator('li b:not(.none)')).toHaveCount(5);
  await lines.getByRole('button', { name: 'Show the threat' }).click();
  await expect(page.locator('.cg-shapes line[stroke="#b3261e"]')).toHaveCount(1);
  await lines.getByRole('button', { name: 'Show the threat' }).click();
  await expect(page.locator('.cg-shapes line[stroke="#b3261e"]')).toHaveCount(0);
  await lines.getByRole('switch', { name: 'Engine' }).click();
  await expect(lines).toContainText('The engine is off');
  await expect(page.locator('.cg-shapes line')).toHaveCount(0);
});

test('a PGN comes in with everything and goes out again; its report is made', async ({ page, nue }) => {
  test.setTimeout(240_000); // every position of the game is searched
  await page.goto(`${nue.address}/analyse`);
  await page.getByRole('tab', { name: 'Open, share' }).click();
  await page.getByLabel(/Open a PGN or FEN/).fill(OPERA);
  await page.getByRole('button', { name: 'Open', exact: true }).click();
  await expect(moves(page)).toHaveCount(33);
  await expect(page.locator('.aside .comment').first()).toHaveText('A mistake already.');
  await expect(page.locator('.variation [data-node]')).toHaveCount(4);
  await expect(page.getByLabel('Title')).toHaveValue(/Morphy/);
  const id = page.url().split('/').pop()!;
  const written = await (await page.request.get(`${nue.address}/api/study/${id}.pgn`)).text();
  expect(written).toContain('{A mistake already.}'.slice(1, -1));
  expect(written).toMatch(/17\. ?Rd8#/);

  await page.getByRole('switch', { name: 'Engine' }).click();
  await page.getByRole('tab', { name: 'Report' }).click();
  await page.getByRole('button', { name: 'Make a report' }).click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect(page.getByText('accuracy').first()).toBeVisible({ timeout: 200_000 });
  await expect(page.locator('.graph i').first()).toBeAttached();
});

test('a file dropped on the page is opened', async ({ page, nue }) => {
  await page.goto(nue.address);
  await page.evaluate((pgn) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([pgn], 'game.pgn'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, OPERA);
  await expect(moves(page)).toHaveCount(33);
  await page.goto(nue.address);
  await page.getByLabel('Search games and studies').fill('Morphy');
  await expect(page.getByRole('region', { name: 'Studies' }).getByRole('link')).toHaveCount(1);
  await page.getByLabel('Search games and studies').fill('Steinitz');
  await expect(page.getByText('Nothing found.').first()).toBeVisible();
});

test('a position is set up and analysed', async ({ page, nue }) => {
  await page.goto(`${nue.address}/analyse`);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Clear' }).click();
  await expect(page.getByText('This position is not legal yet.')).toBeVisible();
  for (const [piece, square] of [
    ['White king', 'e1'],
    ['Black king', 'e8'],
    ['White queen', 'd1'],
  ] as const) {
    await page.getByRole('button', { name: piece }).click();
    const { x, y } = await squareAt(page, square);
    await page.mouse.click(x, y);
  }
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await typeMove(page, 'Qd7');
  await expect(moves(page)).toHaveText(['Qd7+']);
});
