// SPDX-License-Identifier: GPL-3.0-or-later
// Arrows for what the engine would play: the best broad, the others as much narrower as they are worse.
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Lines } from '../lib/messages';
import { turnOf } from '../lib/position';
import { preference } from '../lib/score';

const BROADEST = 13;
const NARROWEST = 3;

const arrow = (uci: string, brush: string, width: number): DrawShape => ({
  orig: uci.slice(0, 2) as 'a1',
  dest: uci.slice(2, 4) as 'a1',
  brush,
  modifiers: { lineWidth: width },
});

export function engineArrows(lines: Lines | undefined, threat: Lines | undefined): DrawShape[] {
  const shapes: DrawShape[] = [];
  const best = lines?.lines[0];
  // Worse ones first: the better one lies on top where they cross.
  for (const line of [...(lines?.lines ?? [])].reverse()) {
    const first = line.uci[0];
    if (!first || !best) continue;
    const liking = preference(best.score, line.score, turnOf(lines!.fen));
    if (line !== best && liking < 0.05) continue;
    const width = Math.round(NARROWEST + (BROADEST - NARROWEST) * (line === best ? 1 : liking * 0.8));
    shapes.push(arrow(first, line === best ? 'best' : 'other', width));
  }
  const threatened = threat?.lines[0]?.uci[0];
  if (threatened) shapes.push(arrow(threatened, 'threat', BROADEST));
  return shapes;
}
