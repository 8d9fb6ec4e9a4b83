// SPDX-License-Identifier: GPL-3.0-or-later
import { mount } from 'svelte';
import '@lichess-org/chessground/assets/chessground.base.css';
import '@lichess-org/chessground/assets/chessground.cburnett.css';
import './app.css';
import './board/board.css';
import App from './App.svelte';
import { connection } from './lib/link.svelte';
import { settings } from './lib/settings.svelte';
import { speak } from './lib/texts.svelte';

connection.connect();
await speak(settings.language);
mount(App, { target: document.getElementById('app')! });
