// SPDX-License-Identifier: GPL-3.0-or-later
// Prints what the built page weighs and fails when all JavaScript together is over the budget.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, brotliCompressSync } from 'node:zlib';

const budget = 200_000;
const folder = join(process.env.NUE_WEB_OUT ?? 'dist', 'assets');
let script = 0;
for (const name of readdirSync(folder).sort()) {
  const bytes = readFileSync(join(folder, name));
  const [gzip, brotli] = [gzipSync(bytes, { level: 9 }).length, brotliCompressSync(bytes).length];
  if (name.endsWith('.js')) script += gzip;
  console.log(`${name.padEnd(36)} ${String(bytes.length).padStart(8)} gzip ${gzip} brotli ${brotli}`);
}
console.log(`JavaScript, gzip: ${script} of at most ${budget} bytes`);
if (script > budget) process.exit(1);
