// SPDX-License-Identifier: GPL-3.0-or-later
// End-to-end tests: the real program, a real Chromium. The browser is the system's, so nothing is downloaded.
import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  timeout: 60_000,
  expect: { timeout: 10_000 },
  workers: 1,
  reporter: [['list']],
  use: {
    locale: 'en-GB',
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    actionTimeout: 10_000,
    launchOptions: {
      executablePath: process.env.NUE_CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'],
    },
  },
});
