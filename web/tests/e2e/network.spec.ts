// SPDX-License-Identifier: GPL-3.0-or-later
// The network, visible. Two nets with random weights are enough to see that everything is shown and compared.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dragMove, expect, test as base } from './fixtures';
import { BINARY, Program } from './program';

const test = base.extend({
  nue: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'nue-nets-'));
    const nets = ['one', 'two'].map((name) => join(folder, `${name}.net`));
    nets.forEach((net, seed) =>
      execFileSync(BINARY, [
        ...['net', 'random', '--features', 'Piece', '--width', '128', '--seed', String(seed), net],
        ...['--hand-crafted', String(120 * seed)], // the second stands beside the hand-crafted evaluation
      ]),
    );
    const program = await new Program(nets.flatMap((net) => ['--net', net])).start();
    await use(program);
    await program.end();
    rmSync(folder, { recursive: true });
  },
});

test('contributions, accumulators, neurons, changes, and two nets side by side', async ({ page, nue }) => {
  await page.goto(`${nue.address}/network`);
  const white = page.getByRole('slider', { name: "White's view" });
  await expect(white).toBeVisible();
  await expect(page.locator('.cg-custom-svgs text')).toHaveCount(30); // all but the kings
  await white.click();
  await expect(page.getByRole('heading', { name: /^Neuron \d+/ })).toBeVisible();
  await expect(page.locator('figure')).toHaveCount(12);
  const first = await page.getByRole('heading', { name: /^Neuron \d+/ }).textContent();
  await white.press('ArrowRight');
  await expect(page.getByRole('heading', { name: /^Neuron \d+/ })).not.toHaveText(first!);

  await dragMove(page, 'e2', 'e4');
  await page.getByRole('button', { name: 'What the move changed' }).click();
  await expect(page.getByText('by the last move')).toBeVisible();
  const byHand = page.getByText('by the hand-crafted evaluation');
  await expect(byHand).toHaveCount(0);
  await page.getByLabel('Compare with').selectOption({ index: 1 });
  await expect(byHand).toHaveCount(1);
  await expect(page.locator('.net')).toHaveCount(2);
  await expect(page.getByRole('slider', { name: "White's view" })).toHaveCount(2);
  await page.screenshot({ path: join('screenshots', 'network-two-desktop-light.png'), fullPage: true });
});
