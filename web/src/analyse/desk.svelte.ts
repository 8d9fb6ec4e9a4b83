// SPDX-License-Identifier: GPL-3.0-or-later
// Everything on the table while a study is analysed: the study, the engine, the report, and what a person does
// with them. Buttons, keys and the board call the same methods.
import type { DrawShape } from '@lichess-org/chessground/draw';
import { untrack } from 'svelte';
import { announce } from '../lib/announce.svelte';
import type { Brush } from '../lib/messages';
import { spell } from '../lib/position';
import { go } from '../lib/route.svelte';
import { scoreText } from '../lib/score';
import { settings } from '../lib/settings.svelte';
import { sound, soundOf } from '../lib/sound';
import { spokenMove } from '../lib/spoken';
import { t } from '../lib/texts.svelte';
import { ROOT } from '../lib/tree';
import { engineArrows } from './arrows';
import { Engine, samePosition } from './engine.svelte';
import { ReportLink } from './report.svelte';
import type { Study } from './study.svelte';

const BRUSHES: readonly string[] = ['green', 'red', 'blue', 'yellow'];
const MOST_SHAPES = 64;

export class Desk {
  readonly engine = new Engine();
  readonly report: ReportLink;
  flipped = $state(false);
  tab = $state('notes');
  /** Counts up when the board must be put back. */
  resets = $state(0);

  readonly best = $derived.by(() => this.engine.lines?.lines[0]);
  readonly arrows = $derived.by(() =>
    settings.arrows && this.engine.on ? engineArrows(this.engine.lines, this.engine.threatLines) : [],
  );
  readonly shapes = $derived.by<DrawShape[]>(() =>
    this.study.node.shapes.map(({ from, to, brush }) => ({
      orig: from as 'a1',
      dest: (to ?? undefined) as 'a1',
      brush,
    })),
  );
  /** The way to the position as one text, which stays the same while comments are written. */
  private readonly line = $derived.by(() => this.study.path.map((node) => node.uci).join(' '));

  readonly steps = {
    first: (): void => this.study.goTo(ROOT),
    back: (): void => void (this.study.node.parent !== null && this.study.goTo(this.study.node.parent)),
    forward: (): void => this.walk(this.study.node.children[0]),
    last: (): void => this.study.goTo(this.study.tree.mainFrom(this.study.current).at(-1)?.id ?? this.study.current),
    flip: (): void => void (this.flipped = !this.flipped),
  };

  constructor(readonly study: Study) {
    this.report = new ReportLink(study.id);
    // The search follows the position.
    $effect(() => {
      const [fen, line] = [study.fen, this.line];
      if (!study.ready) return;
      untrack(() => {
        const { startFen, chess960 } = study.tree;
        this.engine.look({ fen, startFen, moves: line ? line.split(' ') : [], chess960 });
      });
    });
    // The study remembers what the search says.
    $effect(() => {
      const lines = this.engine.lines;
      const score = lines?.lines[0]?.score;
      if (!lines || !score) return;
      untrack(() => samePosition(lines.fen, study.fen) && study.learn(study.current, score, lines.depth));
    });
    $effect(() => {
      for (const { node, score } of this.report.report?.positions ?? []) {
        if (node) untrack(() => study.learn(node, score, 0)); // no deeper than what is known
      }
    });
  }

  watch(): () => void {
    const ends = [this.study.watch(), this.engine.watch(), this.report.watch()];
    return () => ends.forEach((end) => end());
  }

  move(uci: string): void {
    const played = this.study.peek(uci);
    if (!played) return void (this.resets += 1);
    // The search first: the server answers in order, and saving the move takes as long as the disk does.
    const { startFen, chess960 } = this.study.tree;
    const moves = [...this.study.path.map((node) => node.uci), played.uci];
    this.engine.look({ fen: played.fen, startFen, moves, chess960 });
    this.study.playMove(played);
    sound(soundOf(played.san));
    announce(spokenMove(played));
  }

  /** Goes to a node as if its move were made: heard and read out. */
  walk(to: string | undefined): void {
    if (to === undefined) return;
    this.study.goTo(to);
    const { node } = this.study;
    if (!node.san) return;
    sound(soundOf(node.san));
    announce(spokenMove(node));
  }

  /** Goes to the variation so many places below the current one. */
  sibling(step: number): void {
    const { id, parent } = this.study.node;
    const siblings = parent === null ? [] : this.study.tree.get(parent)!.children;
    this.walk(siblings[siblings.indexOf(id) + step]);
  }

  /** Removes the current move and everything behind it. */
  remove(): void {
    const { id, parent } = this.study.node;
    if (parent === null) return;
    this.study.goTo(parent);
    this.study.edit({ type: 'delete', node: id });
  }

  draw(drawn: DrawShape[]): void {
    const shapes = drawn
      .filter(({ brush }) => brush && BRUSHES.includes(brush))
      .slice(0, MOST_SHAPES)
      .map(({ orig, dest, brush }) => ({ from: orig, to: dest ?? null, brush: brush as Brush }));
    this.study.edit({ type: 'set_shapes', node: this.study.current, shapes });
  }

  toggleEngine(): void {
    this.engine.on = !this.engine.on;
    this.engine.start();
  }

  toggleThreat(): void {
    this.engine.threat = !this.engine.threat;
    this.engine.start();
  }

  /** Reads out the evaluation and the beginning of the best line. */
  readLine(): void {
    const { best, study } = this;
    if (!best) return announce(t('eval.none'));
    const line = spell(study.fen, best.uci.slice(0, 4), study.tree.chess960).map(spokenMove).join('; ');
    announce(`${scoreText(best.score)}. ${line}`);
  }

  lookInside(): void {
    const { node, tree, fen } = this.study;
    const before = node.parent === null ? fen : tree.fenOf(node.parent);
    go({ view: 'network', fen: before, move: node.uci || undefined });
  }

  /** What is known about a node's position, as text. */
  note(id: string): string {
    const score = this.study.evaluationOf(id);
    return score ? scoreText(score) : '';
  }
}
