// SPDX-License-Identifier: GPL-3.0-or-later
import { devices } from '@playwright/test';
import { beginGame, expect, moves, squareAt, test } from './fixtures';

const { userAgent, isMobile, hasTouch } = devices['Pixel 5'];
test.use({ viewport: { width: 360, height: 740 }, userAgent, isMobile, hasTouch, deviceScaleFactor: 2 });

test('a game by touch', async ({ page, nue }) => {
  await beginGame(page, nue);
  for (const square of ['e2', 'e4']) {
    const { x, y } = await squareAt(page, square);
    await page.touchscreen.tap(x, y);
  }
  await expect(moves(page)).toHaveCount(2);
});

test('no view is wider than the phone', async ({ page, nue }) => {
  for (const path of ['/', '/play', '/analyse', '/network', '/settings']) {
    await page.goto(nue.address + path);
    await page.waitForTimeout(400);
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(excess, path).toBeLessThanOrEqual(0);
  }
});

test('the navigation at the bottom hides nothing for good', async ({ page, nue }) => {
  await beginGame(page, nue);
  for (const path of [page.url(), `${nue.address}/analyse`, `${nue.address}/settings`]) {
    await page.goto(path);
    await expect(page.locator('main').getByRole('textbox').or(page.getByRole('checkbox')).first()).toBeVisible();
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const clear = await page.evaluate(() => {
      const controls = [...document.querySelectorAll('main button, main input, main a, main textarea')];
      const lowest = Math.max(...controls.map((control) => control.getBoundingClientRect().bottom));
      return document.querySelector('nav')!.getBoundingClientRect().top - lowest;
    });
    expect(clear, path).toBeGreaterThan(0);
  }
});
