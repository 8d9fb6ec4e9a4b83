// SPDX-License-Identifier: GPL-3.0-or-later
// Which view is shown: the address is the truth, so that reload, back and shared links work.

export type Route =
  | { view: 'home' }
  | { view: 'play'; game?: string }
  | { view: 'analyse'; study?: string; fen?: string }
  | { view: 'network'; fen?: string; move?: string }
  | { view: 'settings' };

/** Reads an address: /, /play, /game/ID, /analyse, /study/ID, /network, /settings, with ?fen= where it fits. */
export function routeOf(path: string, query = ''): Route {
  const [first = '', second] = path.split('/').filter(Boolean).map(decodeURIComponent);
  const parameters = new URLSearchParams(query);
  const fen = parameters.get('fen') ?? undefined;
  switch (first) {
    case 'play':
      return { view: 'play' };
    case 'game':
      return { view: 'play', game: second };
    case 'analyse':
      return { view: 'analyse', fen };
    case 'study':
      return { view: 'analyse', study: second };
    case 'network':
      return { view: 'network', fen, move: parameters.get('move') ?? undefined };
    case 'settings':
      return { view: 'settings' };
    default:
      return { view: 'home' };
  }
}

export function addressOf(route: Route): string {
  const parameters = new URLSearchParams();
  if ('fen' in route && route.fen) parameters.set('fen', route.fen);
  if ('move' in route && route.move) parameters.set('move', route.move);
  const query = parameters.size ? `?${parameters}` : '';
  switch (route.view) {
    case 'home':
      return '/';
    case 'play':
      return route.game ? `/game/${route.game}` : '/play';
    case 'analyse':
      return route.study ? `/study/${route.study}` : `/analyse${query}`;
    default:
      return `/${route.view}${query}`;
  }
}

const here = (): Route => routeOf(location.pathname, location.search);
let route: Route = $state.raw(typeof location === 'undefined' ? { view: 'home' } : here());

export const currentRoute = (): Route => route;

/** Goes to a view; `replace` where the way back should not lead to the old address. */
export function go(to: Route, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', addressOf(to));
  route = to;
}

if (typeof window !== 'undefined') window.addEventListener('popstate', () => (route = here()));
