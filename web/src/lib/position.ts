// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of chess as the page needs them: a thin layer over chessops that speaks FEN, UCI and SAN.
// The server checks every move again; here they are checked so that the board can answer at once.
import { castlingSide, Chess, normalizeMove, type Position } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSanAndPlay, parseSan } from 'chessops/san';
import type { Color, NormalMove, SquareName } from 'chessops/types';
import { kingCastlesTo, makeSquare, makeUci, parseSquare, parseUci, squareRank } from 'chessops/util';

export { INITIAL_FEN };
export type { Color, SquareName };

/** A move in the two spellings that every other spelling can be made from. */
export interface Played {
  uci: string;
  san: string;
}

/** The position of a FEN, or undefined where the text or the position is not legal. */
export function positionOf(fen: string): Chess | undefined {
  return parseFen(fen)
    .chain((setup) => Chess.fromSetup(setup))
    .unwrap(
      (position) => position,
      () => undefined,
    );
}

/** The FEN after a move; the move must be legal. */
export function fenAfter(fen: string, uci: string): string {
  const position = positionOf(fen);
  const move = position && legalMove(position, uci);
  if (!position || !move) return fen;
  position.play(move);
  return fenOf(position);
}

export const fenOf = (position: Position): string => makeFen(position.toSetup());

/** A legal move from UCI text; castling may be written as king to rook or king to its new square. */
export function legalMove(position: Position, uci: string): NormalMove | undefined {
  const parsed = parseUci(uci);
  if (!parsed || !('from' in parsed)) return undefined;
  const move = normalizeMove(position, parsed) as NormalMove;
  return position.isLegal(move) ? move : undefined;
}

/** UCI as the server writes it: castling is king to rook in Chess960, else the king's own two steps. */
export function uciOf(position: Position, move: NormalMove, chess960: boolean): string {
  const side = castlingSide(position, move);
  if (!side || chess960) return makeUci(normalizeMove(position, move));
  return makeSquare(move.from) + makeSquare(kingCastlesTo(position.turn, side));
}

/** Plays a move on the position itself and says how it is written. */
export function play(position: Position, uci: string, chess960 = false): Played | undefined {
  const move = legalMove(position, uci);
  if (!move) return undefined;
  const written = uciOf(position, move, chess960);
  return { uci: written, san: makeSanAndPlay(position, move) };
}

/** A line of moves as both spellings, up to the first one that is not legal. */
export function spell(fen: string, ucis: readonly string[], chess960 = false): Played[] {
  const position = positionOf(fen);
  const line: Played[] = [];
  if (!position) return line;
  for (const uci of ucis) {
    const played = play(position, uci, chess960);
    if (!played) break;
    line.push(played);
  }
  return line;
}

/** What somebody typed as a move: SAN (English or German letters), UCI, or castling with zeros. */
export function readMove(position: Position, text: string, chess960 = false): string | undefined {
  const typed = text.trim().replace(/^[0oO]-[0oO](-[0oO])?/, (castling) => castling.replace(/[0o]/g, 'O'));
  if (!typed) return undefined;
  const english = typed.replace(/[SLTD]/g, (letter) => ({ S: 'N', L: 'B', T: 'R', D: 'Q' })[letter] ?? letter);
  for (const san of [typed, english, typed[0]!.toUpperCase() + typed.slice(1)]) {
    const move = parseSan(position, san);
    if (move && 'from' in move) return uciOf(position, move, chess960);
  }
  const move = legalMove(position, typed.toLowerCase());
  return move && uciOf(position, move, chess960);
}

/** Where each piece may go, for the board. In Chess960 castling is offered on the rook alone. */
export const destinations = (position: Position, chess960: boolean): Map<SquareName, SquareName[]> =>
  chessgroundDests(position, { chess960 });

/** Whether a move from one square to another needs a piece to promote to. */
export function promotes(position: Position, from: string, to: string): boolean {
  const [origin, target] = [parseSquare(from), parseSquare(to)];
  if (origin === undefined || target === undefined) return false;
  const rank = squareRank(target);
  return position.board.get(origin)?.role === 'pawn' && (rank === 0 || rank === 7);
}

/** "white" or "black" to move, read from the text alone. */
export const turnOf = (fen: string): Color => (fen.split(' ')[1] === 'b' ? 'black' : 'white');

/** The same diagram with the other side to move; undefined where a check forbids to pass. */
export function passed(fen: string): string | undefined {
  const [board, turn, castling] = fen.split(' ');
  const other = `${board} ${turn === 'w' ? 'b' : 'w'} ${castling} - 0 1`;
  return positionOf(other) ? other : undefined;
}

/** The number of the next move, and of plies played before it if the game began at move 1. */
export const moveNumberOf = (fen: string): number => Number(fen.split(' ')[5]) || 1;

/** Whether the castling rights of a position can only be meant for Chess960. */
export function needsChess960(fen: string): boolean {
  const setup = parseFen(fen);
  if (setup.isErr) return false;
  const { board, castlingRights } = setup.value;
  for (const rook of castlingRights) {
    const color = board.getColor(rook);
    const king = color && board.kingOf(color);
    if (king !== (color === 'white' ? 4 : 60)) return true;
    if (rook % 8 !== 0 && rook % 8 !== 7) return true;
  }
  return false;
}
