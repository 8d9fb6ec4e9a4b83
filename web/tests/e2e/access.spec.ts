// SPDX-License-Identifier: GPL-3.0-or-later
// No serious violation of the accessibility rules, in any view, light and dark.
import AxeBuilder from '@axe-core/playwright';
import { expect, test, typeMove } from './fixtures';

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing serious (${colorScheme})`, async ({ page, nue }) => {
    await page.emulateMedia({ colorScheme });
    const check = async (name: string): Promise<void> => {
      await page.waitForTimeout(400);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      expect(serious.map(({ id, nodes }) => `${name}: ${id} ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([]);
    };
    await page.goto(`${nue.address}/analyse`);
    await typeMove(page, 'e4');
    await check('analyse');
    for (const tab of ['Report', 'Open, share']) {
      await page.getByRole('tab', { name: tab }).click();
      await check(tab);
    }
    await page.getByRole('button', { name: 'Set up' }).click();
    await check('set up');
    await page.goto(`${nue.address}/play`);
    await check('new game');
    await page.getByRole('button', { name: 'Begin' }).click();
    await typeMove(page, 'd4');
    await check('game');
    for (const path of ['/', '/network', '/settings']) {
      await page.goto(nue.address + path);
      await check(path);
    }
    await page.keyboard.press('?');
    await check('help');
  });
}
