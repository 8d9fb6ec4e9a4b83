// SPDX-License-Identifier: GPL-3.0-or-later
// What one network makes of a position and of the one before, asked once each.
import { connection } from '../lib/link.svelte';
import type { Explanation, NeuronWeights } from '../lib/messages';

export class Insight {
  now: Explanation | undefined = $state.raw();
  before: Explanation | undefined = $state.raw();
  neuron: NeuronWeights | undefined = $state.raw();
  selected: number | undefined = $state();
  problem = $state('');
  private readonly known = new Map<string, Explanation>();
  private question = 0;
  private fen = '';

  constructor(readonly net: string) {}

  async look(fen: string, beforeFen: string | undefined): Promise<void> {
    const question = ++this.question;
    this.fen = fen;
    try {
      const [now, before] = await Promise.all([this.explain(fen), beforeFen ? this.explain(beforeFen) : undefined]);
      if (question !== this.question) return;
      [this.now, this.before, this.problem] = [now, before, ''];
      if (this.selected !== undefined) await this.pick(this.selected);
    } catch (error) {
      if (question === this.question) this.problem = (error as Error).message;
    }
  }

  private async explain(fen: string): Promise<Explanation> {
    const known = this.known.get(fen);
    if (known) return known;
    const answer = await connection.ask({ type: 'explain', fen, net: this.net });
    if (answer?.type !== 'explanation') throw new Error('no explanation in the answer');
    this.known.set(fen, answer);
    return answer;
  }

  /** Shows the weights of a neuron, with the kings where they stand now. */
  async pick(index: number): Promise<void> {
    this.selected = index;
    const fen = this.fen;
    const answer = await connection.ask({ type: 'neuron', fen, net: this.net, index });
    if (answer?.type === 'neuron' && this.selected === index && this.fen === fen) this.neuron = answer;
  }
}
