// SPDX-License-Identifier: GPL-3.0-or-later
// The report on a study's main line: asked for, followed, and interrupted.
import { announce } from '../lib/announce.svelte';
import { connection } from '../lib/link.svelte';
import type { Document, Report } from '../lib/messages';
import { t } from '../lib/texts.svelte';

export class ReportLink {
  report: Report | undefined = $state.raw();
  progress: { done: number; total: number } | undefined = $state.raw();
  problem = $state('');
  private readonly document: Document;

  constructor(study: string) {
    this.document = { kind: 'study', id: study };
  }

  watch(): () => void {
    const unlisten = connection.listen((event) => {
      if (event.type === 'report_progress' && event.document.id === this.document.id) {
        if (this.progress) this.progress = { done: event.done, total: event.total };
      } else if (event.type === 'report' && event.document.id === this.document.id) {
        this.progress = undefined;
        this.report = event.report;
        announce(t('report.ready'));
      }
    });
    // A report under way ends with its connection; what was found is kept, so it goes on where it was.
    const unresume = connection.whenOpen(() => this.progress && this.begin());
    return () => {
      if (this.progress) this.stop();
      unlisten();
      unresume();
    };
  }

  begin(): void {
    this.problem = '';
    this.progress ??= { done: 0, total: 0 };
    connection.tell({ type: 'report', document: this.document }).catch((error: Error) => {
      this.progress = undefined;
      this.problem = error.message;
    });
  }

  stop(): void {
    this.progress = undefined;
    connection.tell({ type: 'stop_report', document: this.document }).catch(() => {});
  }
}
