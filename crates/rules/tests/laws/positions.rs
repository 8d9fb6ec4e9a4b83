// SPDX-License-Identifier: GPL-3.0-or-later
//! Positions to try the laws on: seeded random games from many starts, and random diagrams.

use rules::{
    Color, Random,
    chess::{Board, Move, MoveKind, Piece, Role, Setup, Square, Wing},
};

/// Positions with something special about them, from the perft suites.
const SUITES: [&str; 6] = [
    include_str!("../data/standard.perft"),
    include_str!("../data/chess960.perft"),
    include_str!("../data/en_passant.perft"),
    include_str!("../data/double_check.perft"),
    include_str!("../data/tricky.perft"),
    include_str!("../data/tricky_chess960.perft"),
];

fn suite_positions() -> impl Iterator<Item = Board> {
    SUITES.iter().flat_map(|suite| suite.lines()).map(|line| {
        let fen = line.split(';').next().unwrap_or_default();
        Board::from_fen(fen).expect("the suites hold legal positions")
    })
}

/// A random back rank of Chess960: bishops of both colours, the king between the rooks.
fn back_rank(random: &mut Random) -> String {
    let mut letters: Vec<char> = "RNBQKBNR".chars().collect();
    loop {
        for last in (1..letters.len()).rev() {
            letters.swap(last, random.below(last + 1));
        }
        let files = |letter| (0..8).filter(|&file| letters[file] == letter).collect::<Vec<usize>>();
        let (bishops, rooks, king) = (files('B'), files('R'), files('K')[0]);
        if bishops[0] % 2 != bishops[1] % 2 && (rooks[0]..rooks[1]).contains(&king) {
            return letters.iter().collect();
        }
    }
}

/// A start position of Chess960, or of double Chess960 if the sides differ.
fn chess960_start(random: &mut Random, double: bool) -> Board {
    let white = back_rank(random);
    let black = if double { back_rank(random) } else { white.clone() }.to_lowercase();
    Board::from_fen(&format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")).expect("a start")
}

/// A random legal move; castling, en passant, promotions and double pushes are preferred at times.
pub(crate) fn random_move(random: &mut Random, board: &Board) -> Option<Move> {
    let moves = board.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let is_special = |m: &Move| {
        m.is_castle() || m.is_promotion() || m.is(MoveKind::EnPassant) || m.is(MoveKind::DoublePush)
    };
    let special: Vec<Move> = moves.iter().copied().filter(is_special).collect();
    if !special.is_empty() && random.one_in(4) {
        return Some(random.pick(&special));
    }
    Some(random.pick(&moves))
}

/// Every position of the random games, the last ones included.
pub(crate) fn each_in_games(mut visit: impl FnMut(&Board)) {
    let mut random = Random::new(1);
    let mut starts: Vec<Board> = suite_positions().collect();
    for _ in 0..20 {
        starts.push(Board::start());
        starts.push(chess960_start(&mut random, false));
        starts.push(chess960_start(&mut random, true));
    }
    for mut board in starts {
        for _ in 0..80 {
            visit(&board);
            let Some(m) = random_move(&mut random, &board) else { break };
            board.play(m);
        }
    }
}

/// Random diagrams that are legal, most of them impossible to reach by play.
pub(crate) fn each_diagram(mut visit: impl FnMut(&Board)) {
    let mut random = Random::new(2);
    for _ in 0..60_000 {
        if let Ok(board) = Board::from_setup(&random_setup(&mut random)) {
            visit(&board);
        }
    }
}

/// All positions of games and diagrams.
pub(crate) fn each(mut visit: impl FnMut(&Board)) {
    each_in_games(&mut visit);
    each_diagram(&mut visit);
}

fn random_setup(random: &mut Random) -> Setup {
    let mut setup = Setup { turn: random.pick(&Color::ALL), ..Setup::EMPTY };
    if random.one_in(2) {
        plant_en_passant(random, &mut setup);
    }
    for color in Color::ALL {
        place_king(random, &mut setup, color);
    }
    for _ in 0..random.below(20) {
        let square = Square::new(random.below(64) as u8);
        let piece = random.pick(&Piece::ALL[..10]);
        let pawn_outside = piece.role() == Role::Pawn && matches!(square.rank(), 0 | 7);
        if setup.squares[square.index()].is_none() && !pawn_outside {
            setup.squares[square.index()] = Some(piece);
        }
    }
    setup.en_passant = random_en_passant(random, &setup);
    for color in Color::ALL {
        grant_castling(random, &mut setup, color);
    }
    setup
}

/// Two pawns beside each other, as after a double push; later pieces may spoil it.
fn plant_en_passant(random: &mut Random, setup: &mut Setup) {
    let pushed = Square::at(random.below(8) as u8, 4).relative(setup.turn);
    let beside = Square::at(pushed.file() ^ 1, pushed.rank());
    setup.squares[pushed.index()] = Some(Piece::new(!setup.turn, Role::Pawn));
    setup.squares[beside.index()] = Some(Piece::new(setup.turn, Role::Pawn));
}

/// A king anywhere, or on the back rank with two rooks.
fn place_king(random: &mut Random, setup: &mut Setup, color: Color) {
    let mut square = Square::new(random.below(64) as u8);
    if random.one_in(2) {
        for _ in 0..2 {
            let rook = Square::at(random.below(8) as u8, 0).relative(color);
            setup.squares[rook.index()] = Some(Piece::new(color, Role::Rook));
        }
        square = Square::at(square.file(), 0).relative(color);
    }
    setup.squares[square.index()] = Some(Piece::new(color, Role::King));
}

fn random_en_passant(random: &mut Random, setup: &Setup) -> Option<Square> {
    let mover = !setup.turn;
    let at = |square: Square| setup.squares[square.index()];
    let fits = |square: &Square| {
        at(square.forward(mover)) == Some(Piece::new(mover, Role::Pawn))
            && at(*square).is_none()
            && at(square.forward(setup.turn)).is_none()
    };
    let rank = Square::at(0, 5).relative(setup.turn).rank();
    let squares: Vec<Square> = (0..8).map(|file| Square::at(file, rank)).filter(fits).collect();
    (!squares.is_empty()).then(|| random.pick(&squares))
}

fn grant_castling(random: &mut Random, setup: &mut Setup, color: Color) {
    let files = |setup: &Setup, role| -> Vec<Square> {
        let back_rank = (0..8).map(|file| Square::at(file, 0).relative(color));
        back_rank.filter(|square| setup.squares[square.index()] == Some(Piece::new(color, role))).collect()
    };
    let (kings, rooks) = (files(setup, Role::King), files(setup, Role::Rook));
    let Some(&king) = kings.first() else { return };
    for rook in rooks {
        if random.one_in(2) {
            setup.castling.set(color, Wing::of(king, rook), rook);
        }
    }
}
