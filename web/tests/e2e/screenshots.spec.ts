// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the main views for people to look at: wide and narrow, light and dark.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OPERA } from './games';
import { beginGame, expect, moves, test as base, typeMove } from './fixtures';
import { Program } from './program';

// With a trained network where there is one: random weights make no picture worth looking at.
const NET = resolve(process.env.NUE_NET ?? '../nets/default.net');
const test = base.extend({
  nue: async ({}, use) => {
    const program = await new Program(existsSync(NET) ? ['--net', NET] : []).start();
    await use(program);
    await program.end();
  },
});

const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };
const GAME = 'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7'.split(' ');

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    test(`screenshots, ${size}, ${colorScheme}`, async ({ page, nue }) => {
      test.setTimeout(240_000);
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const shoot = async (view: string): Promise<void> => {
        await page.waitForTimeout(600);
        await page.screenshot({
          path: join('screenshots', `${view}-${size}-${colorScheme}.png`),
          fullPage: size === 'phone' || view.startsWith('network'),
        });
      };
      await page.goto(nue.address);
      await shoot('home-empty');
      await page.goto(`${nue.address}/play`);
      await shoot('new-game');
      await beginGame(page, nue);
      for (const [index, move] of ['e4', 'd4', 'Nc3'].entries()) {
        await typeMove(page, move);
        await expect(moves(page)).toHaveCount(2 * index + 2);
      }
      await shoot('game');
      await page.goto(`${nue.address}/analyse`);
      for (const move of GAME) await typeMove(page, move);
      await page
        .getByLabel('Comment')
        .fill('The main line of the closed Spanish: calm, rich, and a hundred years old.');
      await page.getByLabel('Comment').blur();
      await page.getByRole('button', { name: 'Good move' }).click();
      await page.getByRole('button', { name: 'Back', exact: true }).click();
      await typeMove(page, 'Nxe4');
      await typeMove(page, 'd4');
      await page.locator('.pair [data-node]').last().click();
      await page.waitForTimeout(1500);
      await shoot('analyse');
      await page.getByRole('tab', { name: 'Open, share' }).click();
      await page.getByLabel(/Open a PGN or FEN/).fill(OPERA);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await expect(moves(page)).toHaveCount(33);
      await page.getByRole('tab', { name: 'Report' }).click();
      await page.getByRole('button', { name: 'Make a report' }).click();
      await expect(page.getByText('accuracy').first()).toBeVisible({ timeout: 200_000 });
      await page.locator('.pair [data-node]').nth(6).click();
      await shoot('report');
      await page.getByRole('button', { name: 'Set up' }).click();
      await shoot('set-up');
      const fen = 'r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1 w kq - 4 6';
      await page.goto(`${nue.address}/network?${new URLSearchParams({ fen, move: 'f1e1' })}`);
      await page.waitForTimeout(500);
      const strongest = page
        .getByRole('group', { name: 'Neurons that matter most' })
        .first()
        .getByRole('button')
        .first();
      if (await strongest.count()) await strongest.click();
      await shoot('network');
      if (await strongest.count()) await page.getByRole('button', { name: 'What the move changed' }).click();
      await shoot('network-change');
      await page.goto(`${nue.address}/settings`);
      await shoot('settings');
      await page.goto(nue.address);
      await shoot('home');
    });
  }
}
