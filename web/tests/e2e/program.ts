// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the program under test on data of its own, kills it, and starts it again where it was.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** A folder with another build of the page than the one inside the program, for work on the page. */
const WEB = process.env.NUE_WEB_DIR ? ['--web', resolve(process.env.NUE_WEB_DIR)] : [];
export const BINARY = resolve(process.env.NUE_BIN ?? '../target/release/nue');

export class Program {
  address = '';
  readonly data = mkdtempSync(join(tmpdir(), 'nue-e2e-'));
  private child: ChildProcess | undefined;
  private output = '';

  constructor(private readonly options: readonly string[] = []) {
    if (!existsSync(BINARY)) throw new Error(`${BINARY} is missing: build it or name another in NUE_BIN`);
  }

  /** Starts the program, on the same port as before if it ran already, and waits for its address. */
  async start(): Promise<this> {
    const port = this.address ? new URL(this.address).port : '0';
    const child = spawn(BINARY, ['serve', '--port', port, '--data', this.data, '--no-open', ...WEB, ...this.options]);
    this.child = child;
    this.output = '';
    this.address = await new Promise<string>((found, failed) => {
      const read = (chunk: Buffer): void => {
        this.output += chunk.toString();
        const address = /http:\/\/[\d.:[\]a-z]+/.exec(this.output)?.[0];
        if (address) found(address);
      };
      child.stdout.on('data', read);
      child.stderr.on('data', read);
      child.once('exit', (code) => failed(new Error(`the program ended with ${code}: ${this.output}`)));
      child.once('error', failed);
    });
    return this;
  }

  /** SIGKILL: no chance to tidy up. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.removeAllListeners('error');
    child.kill(signal);
    await gone;
  }

  async end(): Promise<void> {
    await this.kill();
    rmSync(this.data, { recursive: true, force: true });
  }
}
