// SPDX-License-Identifier: GPL-3.0-or-later
// Generated from crates/server/src/message by `cargo xtask messages`; changes belong there.

/**
 * What the human can do in a game.
 */
export type Action = { "type": "move", 
/**
 * How many half-moves were played before; a move meant for another position is refused.
 */
ply: number, 
/**
 * The move in UCI form; castling in either form.
 */
uci: string, } | { "type": "take_back" } | { "type": "resign" } | { "type": "offer_draw" } | { "type": "claim_draw" };

/**
 * A position to analyse.
 */
export type Analyse = { 
/**
 * A number of this page's analyses; the same number again replaces the analysis.
 */
job: number, 
/**
 * Where the line begins.
 */
fen: string, 
/**
 * The moves from there to the position, in UCI form: repetitions count.
 */
moves: Array<string>, 
/**
 * How many best lines, 1 to 5.
 */
lines: number, 
/**
 * How many threads, at most as many as the server allows.
 */
threads: number, 
/**
 * The size of the hash table in MiB, at most as much as the server allows.
 */
hash_mb: number, 
/**
 * When to end.
 */
limit: Limit, 
/**
 * Whether castling is written as the king taking its rook.
 */
chess960: boolean, 
/**
 * Whether to look for what the other side would play if it were to move.
 */
threat: boolean, };

/**
 * What `done` brings along.
 */
export type Answer = { "type": "hint", 
/**
 * The move that the engine would play.
 */
move: MoveText, 
/**
 * What it is worth.
 */
score: Score, } | { "type": "node", 
/**
 * The node.
 */
node: string, 
/**
 * The version of the study that contains it.
 */
version: number, } | { "type": "version", 
/**
 * The version.
 */
version: number, } | { "type": "nets", 
/**
 * The networks, the engine's own first.
 */
nets: Array<NetInfo>, } | { "type": "explanation" } & Explanation | { "type": "neuron" } & NeuronWeights;

/**
 * The colour of a shape.
 */
export type Brush = "green" | "red" | "blue" | "yellow";

/**
 * One change of a study.
 */
export type Change = { "type": "add_move", 
/**
 * The name of the new node, made up by the client: 1 to 40 letters, digits, `-` or `_`.
 */
node: string, 
/**
 * The node it follows.
 */
parent: string, 
/**
 * The move in UCI form.
 */
uci: string, } | { "type": "delete", 
/**
 * The node.
 */
node: string, } | { "type": "promote", 
/**
 * The variation's first node.
 */
node: string, } | { "type": "make_main", 
/**
 * The node.
 */
node: string, } | { "type": "set_comment", 
/**
 * The node.
 */
node: string, 
/**
 * The comment, at most 16,384 bytes.
 */
text: string, } | { "type": "set_nags", 
/**
 * The node.
 */
node: string, 
/**
 * Their numbers, at most 8.
 */
nags: Array<number>, } | { "type": "set_shapes", 
/**
 * The node.
 */
node: string, 
/**
 * The shapes, at most 64.
 */
shapes: Array<Shape>, } | { "type": "set_title", 
/**
 * The title, at most 200 bytes.
 */
title: string, } | { "type": "set_headers", 
/**
 * The headers, at most 64.
 */
headers: Array<Header>, };

/**
 * What a page sends.
 */
export type ClientMessage = { 
/**
 * A number that the answer repeats; the client counts up.
 */
id: number, 
/**
 * What is wanted.
 */
do: Request, };

/**
 * A base time and what every move adds.
 */
export type ClockSetting = { 
/**
 * Milliseconds at the beginning, 1,000 to 36,000,000.
 */
base_ms: number, 
/**
 * Milliseconds that a move adds, up to 600,000.
 */
increment_ms: number, };

/**
 * Clocks as they stood when the message left the server.
 */
export type ClockState = { 
/**
 * What was agreed.
 */
setting: ClockSetting, 
/**
 * White's time left in milliseconds.
 */
white_ms: number, 
/**
 * Black's time left in milliseconds.
 */
black_ms: number, 
/**
 * Whose clock is running; none before the first move, after the end, and while nobody watches.
 */
running: Colour | null, };

/**
 * A side.
 */
export type Colour = "white" | "black";

/**
 * A game or a study.
 */
export type Document = { 
/**
 * Which of the two.
 */
kind: DocumentKind, 
/**
 * Its name: 6 to 40 letters, digits, `-` or `_`.
 */
id: string, };

/**
 * What a document is.
 */
export type DocumentKind = "game" | "study";

/**
 * A change that was made.
 */
export type Edited = { 
/**
 * The study.
 */
study: string, 
/**
 * Its version now.
 */
version: number, 
/**
 * The operation's name, by which a page knows its own changes.
 */
operation: string, 
/**
 * The change.
 */
change: Change, 
/**
 * The node that a [`Change::AddMove`] made or found.
 */
node: Node | null, };

/**
 * Why a game ended.
 */
export type EndReason = "checkmate" | "stalemate" | "insufficient_material" | "threefold_repetition" | "fivefold_repetition" | "fifty_moves" | "seventy_five_moves" | "resignation" | "agreement" | "time" | "time_without_material";

/**
 * What is known about a position of a study.
 */
export type Evaluation = { 
/**
 * The node.
 */
node: string, 
/**
 * The score.
 */
score: Score, 
/**
 * The depth of the search.
 */
depth: number, };

/**
 * The output of a network taken apart. Whatever is good for White has a positive sign.
 */
export type Explanation = { 
/**
 * The network.
 */
net: string, 
/**
 * The position.
 */
fen: string, 
/**
 * The value in hundredths of a pawn.
 */
centipawns: number, 
/**
 * How much of it the hand-crafted evaluation added; nothing if the network judges alone.
 */
by_hand: number | null, 
/**
 * Permille of White's win, draw and Black's win.
 */
wdl: [number, number, number], 
/**
 * The output bucket in charge, counted from 0.
 */
bucket: number, 
/**
 * Every piece but the kings.
 */
pieces: Array<PieceWorth>, 
/**
 * The accumulators: White's view, Black's view.
 */
views: [View, View], };

/**
 * A page of games, newest change first.
 */
export type GameList = { 
/**
 * The games.
 */
games: Array<GameSummary>, 
/**
 * Asks for the next page as the parameter `cursor`; none at the end.
 */
cursor: string | null, };

/**
 * How a game ended.
 */
export type GameResult = { 
/**
 * Who won; a draw if nobody.
 */
winner: Colour | null, 
/**
 * Why.
 */
reason: EndReason, };

/**
 * A game as a page shows it.
 */
export type GameState = { 
/**
 * The name of the game.
 */
game: string, 
/**
 * Grows with every change.
 */
version: number, 
/**
 * Where the game began.
 */
start_fen: string, 
/**
 * Whether castling follows Chess960; castling is then the king taking its rook (`e1h1`).
 */
chess960: boolean, 
/**
 * The human's side.
 */
human: Colour, 
/**
 * The strength of the engine; full strength if not given.
 */
elo: number | null, 
/**
 * The moves so far.
 */
moves: Array<PlayedMove>, 
/**
 * The position now.
 */
fen: string, 
/**
 * The side to move.
 */
turn: Colour, 
/**
 * Whether the side to move is in check.
 */
check: boolean, 
/**
 * The clocks; none if the game is played without.
 */
clock: ClockState | null, 
/**
 * How the game ended; none while it goes on.
 */
result: GameResult | null, 
/**
 * Whether the engine is to move and looks for its move.
 */
thinking: boolean, 
/**
 * What a player may claim: a draw, and by which rule.
 */
claim: EndReason | null, 
/**
 * Whether the engine declined a draw since the last move.
 */
draw_declined: boolean, 
/**
 * What the engine thought of its last move, seen by White.
 */
evaluation: Score | null, 
/**
 * The name of the opening, as far as the moves are known.
 */
opening: Opening | null, 
/**
 * When the game began, in milliseconds since 1970.
 */
created_ms: number, };

/**
 * A game in a list.
 */
export type GameSummary = { 
/**
 * Its name.
 */
game: string, 
/**
 * The human's side.
 */
human: Colour, 
/**
 * The strength of the engine; full strength if not given.
 */
elo: number | null, 
/**
 * The clock.
 */
clock: ClockSetting | null, 
/**
 * How many half-moves were played.
 */
plies: number, 
/**
 * The position now.
 */
fen: string, 
/**
 * The last move in UCI form.
 */
last_move: string | null, 
/**
 * How it ended; none while it goes on.
 */
result: GameResult | null, 
/**
 * The name of the opening.
 */
opening: Opening | null, 
/**
 * When it began, in milliseconds since 1970.
 */
created_ms: number, 
/**
 * When it last changed, in milliseconds since 1970.
 */
updated_ms: number, };

/**
 * A header, as a PGN tag.
 */
export type Header = { 
/**
 * Such as `White`.
 */
name: string, 
/**
 * Its value.
 */
value: string, };

/**
 * What an import brought.
 */
export type Imported = { 
/**
 * A study for each game of the PGN.
 */
studies: Array<string>, 
/**
 * What could not be read, one sentence each.
 */
problems: Array<string>, };

/**
 * A position and the move that led to it.
 */
export type JudgedPosition = { 
/**
 * The study's node; none in a game.
 */
node: string | null, 
/**
 * The move that led here; none for the first position.
 */
played: MoveText | null, 
/**
 * Its worth.
 */
score: Score, 
/**
 * White's winning chances in percent: a draw counts half.
 */
win: number, 
/**
 * How exactly the move that led here was played, 0 to 100.
 */
accuracy: number | null, 
/**
 * What is wrong with that move.
 */
judgement: Judgement | null, 
/**
 * The move that should have been played in its place, if another.
 */
better: MoveText | null, };

/**
 * How bad a move is, by the winning chances it lost.
 */
export type Judgement = "inaccuracy" | "mistake" | "blunder";

/**
 * When an analysis ends.
 */
export type Limit = { "type": "depth", 
/**
 * In half-moves.
 */
depth: number, } | { "type": "time", 
/**
 * In milliseconds of searching; waiting for a turn does not count.
 */
ms: number, } | { "type": "infinite" };

/**
 * A line and its worth.
 */
export type Line = { 
/**
 * Its score.
 */
score: Score, 
/**
 * Permille of White's win, draw and Black's win.
 */
wdl: [number, number, number], 
/**
 * The moves in UCI form.
 */
uci: Array<string>, 
/**
 * The moves in standard algebraic notation.
 */
san: Array<string>, };

/**
 * What is known about a position.
 */
export type Lines = { 
/**
 * The number given in [`Analyse::job`].
 */
job: number, 
/**
 * The number of the request that began it, by which a page drops lines of a position that it has left.
 */
request: number, 
/**
 * The position searched; with [`Analyse::threat`] the other side is to move in it.
 */
fen: string, 
/**
 * Whether these are threats, as in [`Analyse::threat`].
 */
threat: boolean, 
/**
 * Whether this was found earlier and comes from the disk, while the search begins.
 */
stored: boolean, 
/**
 * Depth in half-moves.
 */
depth: number, 
/**
 * Deepest half-move looked at.
 */
seldepth: number, 
/**
 * Positions searched.
 */
nodes: number, 
/**
 * Positions per second.
 */
nps: number, 
/**
 * Milliseconds spent searching.
 */
time_ms: number, 
/**
 * Permille of the hash table in use.
 */
hashfull: number, 
/**
 * The lines, best first.
 */
lines: Array<Line>, };

/**
 * A move in both notations.
 */
export type MoveText = { 
/**
 * In UCI form.
 */
uci: string, 
/**
 * In standard algebraic notation.
 */
san: string, };

/**
 * A network at hand.
 */
export type NetInfo = { 
/**
 * Its name, by which requests mean it.
 */
name: string, 
/**
 * What it looks at, as an expression.
 */
features: string, 
/**
 * Its shape in words.
 */
architecture: string, 
/**
 * Neurons of the accumulator of each view.
 */
width: number, 
/**
 * Output buckets.
 */
buckets: number, };

/**
 * What a neuron adds for each piece on each square, in one view.
 */
export type NeuronView = { 
/**
 * Whose view it is.
 */
colour: Colour, 
/**
 * Its value in the given position.
 */
value: number, 
/**
 * A map for each of `PNBRQKpnbrqk`.
 */
maps: Array<PieceMap>, };

/**
 * The weights of one neuron, by piece and square, with the kings where they stand.
 */
export type NeuronWeights = { 
/**
 * The network.
 */
net: string, 
/**
 * The neuron's place in the accumulator.
 */
index: number, 
/**
 * What it starts from.
 */
bias: number, 
/**
 * White's view, Black's view.
 */
views: [NeuronView, NeuronView], };

/**
 * A game to begin.
 */
export type NewGame = { 
/**
 * Its name, made up by the client: 6 to 40 letters, digits, `-` or `_`.
 */
game: string, 
/**
 * The strength of the engine in Elo points, as in [`super::Welcome`]; full strength if not given.
 */
elo: number | null, 
/**
 * The human's side; drawn by lot if not given.
 */
colour: Colour | null, 
/**
 * The clock of each side; none if not given.
 */
clock: ClockSetting | null, 
/**
 * Where the game begins; if not given the usual position, in Chess960 one of the 960.
 */
fen: string | null, 
/**
 * Whether castling follows Chess960.
 */
chess960: boolean, };

/**
 * A study to create.
 */
export type NewStudy = { 
/**
 * Its name, made up by the client: 6 to 40 letters, digits, `-` or `_`.
 */
study: string, 
/**
 * Its title; made from the players or the date if not given.
 */
title: string | null, 
/**
 * Where it begins; the usual position if not given.
 */
fen: string | null, 
/**
 * Whether castling follows Chess960.
 */
chess960: boolean, 
/**
 * A PGN to begin with, its first game; larger ones go by `POST /api/import`.
 */
pgn: string | null, 
/**
 * A game of this server to begin with.
 */
game: string | null, };

/**
 * A node: a move and what is said about it.
 */
export type Node = { 
/**
 * Its name; `root` for the node before the first move.
 */
id: string, 
/**
 * The node before; none for the root.
 */
parent: string | null, 
/**
 * The move in UCI form; empty for the root.
 */
uci: string, 
/**
 * The move in standard algebraic notation; empty for the root.
 */
san: string, 
/**
 * The comment.
 */
comment: string, 
/**
 * The glyphs.
 */
nags: Array<number>, 
/**
 * Arrows and circles.
 */
shapes: Array<Shape>, 
/**
 * The name of the opening if this position has one of its own.
 */
opening: Opening | null, };

/**
 * The name of an opening.
 */
export type Opening = { 
/**
 * The code of the Encyclopaedia of Chess Openings, such as `C20`.
 */
eco: string, 
/**
 * The name in English.
 */
name: string, };

/**
 * What a neuron adds for one piece.
 */
export type PieceMap = { 
/**
 * The piece's letter as in a FEN.
 */
piece: string, 
/**
 * The weight on each square, a1, b1 … h8; none where the network does not see the piece.
 */
weights: Array<number | null>, };

/**
 * What a piece contributes: the value with it less the value without it, exactly.
 */
export type PieceWorth = { 
/**
 * Where it stands.
 */
square: string, 
/**
 * Its letter as in a FEN.
 */
piece: string, 
/**
 * In pawns.
 */
pawns: number, };

/**
 * A move that was made.
 */
export type PlayedMove = { 
/**
 * In UCI form.
 */
uci: string, 
/**
 * In standard algebraic notation.
 */
san: string, 
/**
 * The mover's clock after the move in milliseconds.
 */
clock_ms: number | null, };

/**
 * Why a request was refused.
 */
export type Refusal = "malformed" | "too_large" | "too_many" | "unknown" | "invalid" | "illegal_move" | "not_your_turn" | "out_of_step" | "game_over" | "not_possible" | "unavailable";

/**
 * What the engine makes of a game.
 */
export type Report = { 
/**
 * The positions, the first before any move.
 */
positions: Array<JudgedPosition>, 
/**
 * How White played; none if White did not move.
 */
white: SideReport | null, 
/**
 * How Black played; none if Black did not move.
 */
black: SideReport | null, };

/**
 * What a page can ask for.
 */
export type Request = { "type": "new_game" } & NewGame | { "type": "watch_game", 
/**
 * The game.
 */
game: string, } | { "type": "act", 
/**
 * The game.
 */
game: string, 
/**
 * A name of this request, made up by the client: 1 to 40 letters, digits, `-` or `_`.
 */
operation: string, 
/**
 * What to do.
 */
action: Action, } | { "type": "hint", 
/**
 * The game.
 */
game: string, } | { "type": "new_study" } & NewStudy | { "type": "open_study", 
/**
 * The study.
 */
study: string, } | { "type": "edit", 
/**
 * The study.
 */
study: string, 
/**
 * A name of this request, made up by the client: 1 to 40 letters, digits, `-` or `_`.
 */
operation: string, 
/**
 * What to change.
 */
change: Change, } | { "type": "close", 
/**
 * The game or study.
 */
document: Document, } | { "type": "delete", 
/**
 * The game or study.
 */
document: Document, } | { "type": "analyse" } & Analyse | { "type": "stop", 
/**
 * The number given in [`Analyse::job`].
 */
job: number, } | { "type": "report", 
/**
 * The game or study.
 */
document: Document, } | { "type": "stop_report", 
/**
 * The game or study.
 */
document: Document, } | { "type": "nets" } | { "type": "explain", 
/**
 * The position.
 */
fen: string, 
/**
 * The name of a network; the first at hand if not given.
 */
net: string | null, } | { "type": "neuron", 
/**
 * A position: what a neuron sees may depend on where the kings stand.
 */
fen: string, 
/**
 * The name of a network; the first at hand if not given.
 */
net: string | null, 
/**
 * The neuron's place in the accumulator.
 */
index: number, } | { "type": "ping" };

/**
 * A score, seen by White.
 */
export type Score = { "type": "cp", 
/**
 * Positive if White is better.
 */
value: number, } | { "type": "mate", 
/**
 * Positive if White mates; 0 if the side to move is mated already.
 */
value: number, };

/**
 * What the server sends.
 */
export type ServerMessage = { "type": "welcome" } & Welcome | { "type": "done", 
/**
 * The number of the request.
 */
id: number, 
/**
 * What was asked for, where something was.
 */
answer: Answer | null, } | { "type": "refused", 
/**
 * The number of the request; 0 if it could not be read.
 */
id: number, 
/**
 * Why, for programs: pages translate this.
 */
why: Refusal, 
/**
 * Why, as an English sentence with the details.
 */
reason: string, } | { "type": "game" } & GameState | { "type": "study" } & StudyState | { "type": "evaluations", 
/**
 * The study.
 */
study: string, 
/**
 * The positions that are known.
 */
evaluations: Array<Evaluation>, } | { "type": "edited" } & Edited | { "type": "deleted", 
/**
 * The game or study.
 */
document: Document, } | { "type": "lines" } & Lines | { "type": "finished", 
/**
 * The number given in [`Analyse::job`].
 */
job: number, 
/**
 * The number of the request that began it.
 */
request: number, } | { "type": "report_progress", 
/**
 * The game or study.
 */
document: Document, 
/**
 * Positions judged.
 */
done: number, 
/**
 * Positions to judge.
 */
total: number, } | { "type": "report", 
/**
 * The game or study.
 */
document: Document, 
/**
 * The report.
 */
report: Report, };

/**
 * An arrow or a circle.
 */
export type Shape = { 
/**
 * The square of a circle, or where an arrow begins.
 */
from: string, 
/**
 * Where an arrow ends.
 */
to: string | null, 
/**
 * The colour.
 */
brush: Brush, };

/**
 * How one side played.
 */
export type SideReport = { 
/**
 * How exactly, 0 to 100.
 */
accuracy: number, 
/**
 * Winning chances lost per move in percent.
 */
mean_loss: number, 
/**
 * How many inaccuracies.
 */
inaccuracies: number, 
/**
 * How many mistakes.
 */
mistakes: number, 
/**
 * How many blunders.
 */
blunders: number, };

/**
 * A page of studies, newest change first.
 */
export type StudyList = { 
/**
 * The studies.
 */
studies: Array<StudySummary>, 
/**
 * Asks for the next page as the parameter `cursor`; none at the end.
 */
cursor: string | null, };

/**
 * A study as a whole.
 */
export type StudyState = { 
/**
 * The name of the study.
 */
study: string, 
/**
 * Grows with every change.
 */
version: number, 
/**
 * Its title.
 */
title: string, 
/**
 * Where it begins.
 */
start_fen: string, 
/**
 * Whether castling follows Chess960; castling is then the king taking its rook (`e1h1`).
 */
chess960: boolean, 
/**
 * The headers (PGN tags).
 */
headers: Array<Header>, 
/**
 * The nodes: first the root, parents before children, the main variation of each node before the others.
 */
nodes: Array<Node>, 
/**
 * When it was created, in milliseconds since 1970.
 */
created_ms: number, };

/**
 * A study in a list.
 */
export type StudySummary = { 
/**
 * Its name.
 */
study: string, 
/**
 * Its title.
 */
title: string, 
/**
 * How many moves it holds, variations included.
 */
moves: number, 
/**
 * The position at the end of the main line.
 */
fen: string, 
/**
 * The name of the main line's opening.
 */
opening: Opening | null, 
/**
 * When it was created, in milliseconds since 1970.
 */
created_ms: number, 
/**
 * When it last changed, in milliseconds since 1970.
 */
updated_ms: number, };

/**
 * An accumulator: the first layer of a network, seen from one side. All lists are by neuron.
 */
export type View = { 
/**
 * Whose view it is.
 */
colour: Colour, 
/**
 * The value of each neuron before the activation.
 */
values: Array<number>, 
/**
 * What each is after clipping, from 0 (silent) to 1 (full).
 */
active: Array<number>, 
/**
 * What would be missing without each, in pawns.
 */
effects: Array<number>, };

/**
 * What a page should know about the server.
 */
export type Welcome = { 
/**
 * The version of the program; another than last time means that the page should be loaded anew.
 */
version: string, 
/**
 * How many searches run at the same time.
 */
slots: number, 
/**
 * Most threads that one analysis may have.
 */
max_threads: number, 
/**
 * Largest hash table of one analysis in MiB.
 */
max_hash_mb: number, 
/**
 * Most lines of one analysis.
 */
max_lines: number, 
/**
 * The weakest level.
 */
min_elo: number, 
/**
 * The strongest level below full strength.
 */
max_elo: number, 
/**
 * Most bytes of a message.
 */
max_message_bytes: number, 
/**
 * The networks at hand; the engine plays with the first, and by its own counting if there is none.
 */
nets: Array<NetInfo>, };
