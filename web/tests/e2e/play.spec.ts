// SPDX-License-Identifier: GPL-3.0-or-later
import { beginGame, clickMove, dragMove, expect, moves, test, typeMove } from './fixtures';

/** The king can only step aside: whatever the engine plays, the second rook mates. */
const LADDER = '4k3/8/R7/1R6/8/8/8/4K3 w - - 0 1';

test('a game to mate, dragged and clicked', async ({ page, nue }) => {
  await beginGame(page, nue, LADDER);
  await dragMove(page, 'b5', 'b7');
  await expect(moves(page)).toHaveCount(2);
  await clickMove(page, 'a6', 'a8');
  await expect(page.getByText('White wins by checkmate', { exact: true })).toBeVisible();
  await expect(moves(page).last()).toHaveText('Ra8#');
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
  await expect(page).toHaveURL(/\/study\//);
  await expect(moves(page)).toHaveCount(3);
});

test('a promotion asks for the piece', async ({ page, nue }) => {
  await beginGame(page, nue, '8/P6k/8/8/8/8/8/K7 w - - 0 1');
  await clickMove(page, 'a7', 'a8');
  await page.getByRole('dialog', { name: 'Promote to' }).getByRole('button', { name: 'rook' }).click();
  await expect(moves(page).first()).toHaveText('a8=R');
});

test('take back, hint, draw offer, resignation', async ({ page, nue }) => {
  await beginGame(page, nue);
  await typeMove(page, 'e4');
  await expect(moves(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(moves(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Hint' }).click();
  await expect(page.getByText(/Nue would play/).first()).toBeVisible();
  await typeMove(page, 'd4');
  await expect(moves(page)).toHaveCount(2);
  await page.getByRole('button', { name: 'Resign' }).click();
  await page.getByRole('button', { name: 'Resign' }).click();
  await expect(page.getByText('Black wins by resignation', { exact: true })).toBeVisible();
});

test('a clock runs, and a premove is played when its turn comes', async ({ page, nue }) => {
  await page.goto(`${nue.address}/play`);
  await page.getByRole('radio', { name: '3+2' }).check();
  await page.getByRole('button', { name: 'Begin' }).click();
  await dragMove(page, 'e2', 'e4');
  await dragMove(page, 'd2', 'd3');
  await expect(moves(page)).toHaveCount(4);
  await expect(moves(page).nth(2)).toHaveText('d3');
  await expect(page.getByRole('timer', { name: 'Clock of You' })).toHaveText(/^(3:0|2:5)/);
});

test('Chess960: castling is the king onto its rook', async ({ page, nue }) => {
  await beginGame(page, nue, '1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1');
  await clickMove(page, 'e1', 'g1');
  await expect(moves(page).first()).toHaveText('O-O');
  await expect(moves(page)).toHaveCount(2);
});
