// SPDX-License-Identifier: GPL-3.0-or-later
//! The factoriser: what a feature means whatever the king does.
//!
//! A set with a factor for the own king (`King × …`) splits the same fact into many rows, each seen seldom. In
//! training every row is the sum of its own weights and those of a *virtual* row that all kings share;
//! for the exported network the two are added up. Only sums (`fold`) and reductions over the kings (`reduce`)
//! are needed once per step; the sparse passes know real rows alone.

use features::chess::{
    ExpressionError, FeatureSet,
    sets::{Basic, Expression, Term},
};
use rules::{
    Color,
    chess::{Piece, Square},
};
use thiserror::Error;

/// Which virtual row stands behind each real one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Factor {
    /// By real row: its virtual row, or [`Factor::NONE`].
    pub of_row: Vec<u32>,
    /// How many virtual rows there are.
    pub count: usize,
    /// By virtual row: where its real rows begin in `rows`; one more at the end.
    pub starts: Vec<u32>,
    /// The real rows of each virtual one, in order.
    pub rows: Vec<u32>,
}

/// A set without a factoriser.
#[derive(Debug, Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages say it")]
pub enum FactorError {
    #[error("the features '{0}' have no factor for the king, expected one such as King or Bucket")]
    NoKing(String),
    #[error("the features '{0}' have a part with nothing but the king, which leaves nothing to share")]
    OnlyKing(String),
    #[error(transparent)]
    Expression(#[from] ExpressionError),
}

impl Factor {
    /// No virtual row: a place that no piece has.
    pub const NONE: u32 = u32::MAX;

    /// The factoriser of a set.
    pub fn new(features: &FeatureSet) -> Result<Factor, FactorError> {
        let expression = features.expression();
        let term =
            without_king(&expression.term).ok_or_else(|| FactorError::OnlyKing(features.to_string()))?;
        if term == expression.term {
            return Err(FactorError::NoKing(features.to_string()));
        }
        let shared = FeatureSet::compile(Expression { term, ..expression.clone() })?;
        let mut of_row = vec![Factor::NONE; features.size()];
        for king in Square::all() {
            let (real, virtually) =
                (features.seen_by(Color::White, king), shared.seen_by(Color::White, king));
            for piece in Piece::ALL {
                for square in Square::all() {
                    // A factor for the king gives every piece one element: the lists have the same length.
                    for (&row, &shared) in real.rows(piece, square).iter().zip(virtually.rows(piece, square))
                    {
                        of_row[row as usize] = shared;
                    }
                }
            }
        }
        let count = shared.size();
        let mut rows: Vec<u32> = (0..).take(of_row.len()).collect();
        rows.retain(|&row| of_row[row as usize] != Factor::NONE);
        rows.sort_by_key(|&row| of_row[row as usize]);
        let starts = (0..=count as u32)
            .map(|shared| rows.partition_point(|&row| of_row[row as usize] < shared) as u32)
            .collect();
        Ok(Factor { of_row, count, starts, rows })
    }

    /// The real rows of a virtual one.
    pub fn members(&self, shared: usize) -> &[u32] {
        &self.rows[self.starts[shared] as usize..self.starts[shared + 1] as usize]
    }
}

/// The term without its factors for the king; none if nothing is left of some part.
fn without_king(term: &Term) -> Option<Term> {
    match term {
        Term::Basic(Basic::King | Basic::KingFile | Basic::KingRank | Basic::Bucket(_)) => None,
        Term::Basic(_) => Some(term.clone()),
        Term::Product(parts) => {
            let mut left: Vec<Term> = parts.iter().filter_map(without_king).collect();
            match left.len() {
                0 => None,
                1 => left.pop(),
                _ => Some(Term::Product(left)),
            }
        }
        Term::Sum(parts) => Some(Term::Sum(parts.iter().map(without_king).collect::<Option<_>>()?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halfkp_shares_640_rows() {
        let features = FeatureSet::parse("HalfKP").unwrap();
        let factor = Factor::new(&features).unwrap();
        assert_eq!((factor.count, factor.of_row.len()), (640, 40_960));
        // The numbering puts the king first, so that the rest is the virtual row.
        assert!(factor.of_row.iter().enumerate().all(|(row, &shared)| row % 640 == shared as usize));
        assert_eq!(factor.members(7).len(), 64);
        assert!(factor.members(7).iter().all(|row| row % 640 == 7));
    }

    #[test]
    fn buckets_and_folds_work_and_free_places_stay_free() {
        let features = FeatureSet::parse("HalfKA-hm8").unwrap();
        assert_eq!(Factor::new(&features).unwrap().count, 768);
        let features = FeatureSet::parse("King × (Unused ⊕ Role5 × Colour × Square)").unwrap();
        let factor = Factor::new(&features).unwrap();
        assert_eq!((factor.count, factor.of_row[0]), (641, Factor::NONE));
        assert_eq!(factor.rows.len(), 64 * 640);
    }

    #[test]
    fn sets_without_a_king_have_none() {
        let error = |text: &str| Factor::new(&FeatureSet::parse(text).unwrap()).unwrap_err().to_string();
        assert!(error("Piece").contains("have no factor for the king"));
        assert!(error("King × KingFile").contains("nothing but the king"));
    }
}
