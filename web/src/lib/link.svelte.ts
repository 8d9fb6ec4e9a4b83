// SPDX-License-Identifier: GPL-3.0-or-later
// The connection that all views share, and what the server said about itself.
import { Connection, type State } from './connection';
import type { Welcome } from './messages';
import { Outbox } from './outbox';

export const link = $state<{ state: State; welcome: Welcome | undefined; outdated: boolean }>({
  state: 'connecting',
  welcome: undefined,
  outdated: false,
});

const address = (): string => `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`;

export const connection = new Connection(
  () => new WebSocket(address()) as never,
  new Outbox(localStorage),
  (state) => (link.state = state),
);

connection.listen((event) => {
  if (event.type !== 'welcome') return;
  // Another program than the one this page came from: its messages may differ.
  link.outdated = link.welcome !== undefined && link.welcome.version !== event.version;
  link.welcome = event;
});
