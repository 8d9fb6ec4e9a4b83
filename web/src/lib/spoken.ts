// SPDX-License-Identifier: GPL-3.0-or-later
// Moves and squares as sentences for a screen reader.
import { maybe, t } from './texts.svelte';
import type { Played } from './position';

const ROLES: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

/** The word for a piece in the page's language. */
export const roleName = (role: string): string => maybe(`piece.${role}`) ?? role;

/** "knight f3, check", "pawn e4 takes d5", "castles kingside". */
export function spokenMove({ san, uci }: Played): string {
  const ending = san.endsWith('#') ? `, ${t('said.mate')}` : san.endsWith('+') ? `, ${t('said.check')}` : '';
  if (san.startsWith('O-O-O')) return t('said.castlesLong') + ending;
  if (san.startsWith('O-O')) return t('said.castlesShort') + ending;
  const piece = roleName(ROLES[san[0]!] ?? 'pawn');
  const [from, to] = [uci.slice(0, 2), uci.slice(2, 4)];
  const key = san.includes('x') ? 'said.takes' : 'said.moves';
  const promotion = /=([QRBN])/.exec(san)?.[1];
  const becomes = promotion ? `, ${t('said.becomes', { piece: roleName(ROLES[promotion]!) })}` : '';
  return t(key, { piece, from, to }) + becomes + ending;
}
