// SPDX-License-Identifier: GPL-3.0-or-later
// How the page is built. Names of assets carry a hash, so that the server may call them immutable; the
// addresses are absolute, as the same page answers at /, /study/ID and /game/ID.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** Where `npm run dev` finds a running `nue serve`. */
const server = process.env.NUE_SERVER ?? 'http://127.0.0.1:3127';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', outDir: process.env.NUE_WEB_OUT ?? 'dist', emptyOutDir: true, assetsInlineLimit: 0 },
  server: { proxy: { '/api': server, '/ws': { target: server, ws: true } } },
  test: { include: ['tests/unit/**/*.test.ts'] },
});
