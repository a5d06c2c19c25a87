//! Exact solution of one circle of owners that own each other.
//!
//! The matrix I − A of a circle is a column diagonally dominant M-matrix: no share is negative, and what is held outside
//! the circle makes up the rest of each column. Elimination in the order of Grassmann, Taksar and Heyman ("Regenerative
//! analysis and steady state distributions for Markov chains", Operations Research 33, 1985) computes the diagonal from
//! the rest of each column instead of by subtraction. No number is ever subtracted from another, so nothing cancels: every
//! result has nearly the full precision of the shares, however little is held outside, and no pivoting is needed.

/// The largest circle that is solved. The time grows with the third power of the number of members.
pub(crate) const LARGEST: usize = 256;

/// How many times a company may own itself through a circle: the reciprocal of the fraction that is held outside. Beyond
/// it, the result would depend on the rounding of the shares, and the circle counts as closed.
pub(super) const MAX_SELF_OWNERSHIP: f64 = 1e6;

/// A circle in factorised form.
pub(super) struct Circle {
    size: usize,
    /// The fractions of column j that member i holds, at `i * size + j`, after elimination.
    held: Vec<f64>,
    /// The diagonal after elimination.
    diagonal: Vec<f64>,
    /// The diagonal of N = (I − A)⁻¹: how many times each member is passed on the way through the circle from itself.
    pub(super) turns: Vec<f64>,
}

impl Circle {
    /// Factorises I − A. `held` contains the fraction of member j that member i holds at `i * size + j`; `outside`
    /// contains the fraction of each member that is held outside the circle, or by nobody known. The columns sum up
    /// to 1. `None` if the circle is closed: nothing or too little is held outside.
    pub(super) fn new(mut held: Vec<f64>, mut outside: Vec<f64>) -> Option<Self> {
        let size = outside.len();
        let mut diagonal = Vec::with_capacity(size);
        for k in 0..size {
            let to_others: f64 = (k + 1..size).map(|i| held[i * size + k]).sum();
            let rest = outside[k] + to_others;
            if rest <= 0.0 {
                return None;
            }
            for j in k + 1..size {
                let factor = held[k * size + j] / rest;
                if factor > 0.0 {
                    for i in k + 1..size {
                        held[i * size + j] += held[i * size + k] * factor;
                    }
                    outside[j] += outside[k] * factor;
                }
            }
            diagonal.push(rest);
        }
        let mut circle = Self { size, held, diagonal, turns: Vec::new() };
        circle.turns = (0..size).map(|member| circle.solve(unit(size, member))[member]).collect();
        circle.turns.iter().all(|it| *it <= MAX_SELF_OWNERSHIP).then_some(circle)
    }

    /// Solves (I − A) x = `right`.
    pub(super) fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        let Self { size, held, diagonal, .. } = self;
        for k in 0..*size {
            let passed_on = right[k] / diagonal[k];
            if passed_on > 0.0 {
                for i in k + 1..*size {
                    right[i] += held[i * size + k] * passed_on;
                }
            }
        }
        for k in (0..*size).rev() {
            let from_later: f64 = (k + 1..*size).map(|j| held[k * size + j] * right[j]).sum();
            right[k] = (right[k] + from_later) / diagonal[k];
        }
        right
    }
}

/// The column of the unit matrix of a member.
fn unit(size: usize, member: usize) -> Vec<f64> {
    let mut column = vec![0.0; size];
    column[member] = 1.0;
    column
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_companies_that_hold_each_other() {
        // N = 1 / (1 − 0.5 × 0.4) × [[1, 0.5], [0.4, 1]]
        let circle = Circle::new(vec![0.0, 0.5, 0.4, 0.0], vec![0.6, 0.5]).expect("open");
        let turns = &circle.turns;
        assert!(turns.iter().all(|it| (it - 1.25).abs() < 1e-15), "{turns:?}");
        let column = circle.solve(vec![1.0, 0.0]);
        assert!((column[0] - 1.25).abs() < 1e-15 && (column[1] - 0.5).abs() < 1e-15, "{column:?}");
    }

    #[test]
    fn closed_circle_has_no_solution() {
        assert!(Circle::new(vec![0.0, 1.0, 1.0, 0.0], vec![0.0, 0.0]).is_none());
        assert!(Circle::new(vec![1.0], vec![0.0]).is_none());
        assert!(Circle::new(vec![0.0, 1.0, 1.0, 0.0], vec![1e-9, 0.0]).is_none(), "nearly closed");
    }

    #[test]
    fn little_outside_the_circle_does_not_cost_precision() {
        // Each holds all of the other but a millionth, 2⁻²⁰: n = 1 / (1 − (1 − e)²) = 1 / (e (2 − e)).
        let outside = 2.0_f64.powi(-20);
        let inside = 1.0 - outside;
        let circle =
            Circle::new(vec![0.0, inside, inside, 0.0], vec![outside; 2]).expect("still open");
        let expected = 1.0 / (outside * (2.0 - outside));
        for turns in &circle.turns {
            assert!((turns / expected - 1.0).abs() < 1e-15, "{turns} instead of {expected}");
        }
    }
}
