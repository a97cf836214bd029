//! Integer expressions of formulas: constants, tokens, sums and differences.

use model::nets::Linear;
use model::views::PlaceId;

use super::formula::FormulaReader;
use super::stop::Stop;
use crate::xml::Tag;

/// A sum of tokens and a constant, in which a place may occur several times.
#[derive(Default)]
pub(super) struct Expression {
    terms: Vec<(PlaceId, i64)>,
    constant: i64,
}

impl Expression {
    fn add(&mut self, mut other: Expression) -> Result<(), Stop> {
        self.terms.append(&mut other.terms);
        self.constant = self.constant.checked_add(other.constant).ok_or_else(Stop::overflow)?;
        Ok(())
    }

    /// The difference, with each place once.
    pub(super) fn minus(mut self, mut other: Expression) -> Result<Linear, Stop> {
        other.negate()?;
        self.add(other)?;
        Linear::new(self.terms, self.constant).ok_or_else(Stop::overflow)
    }

    fn negate(&mut self) -> Result<(), Stop> {
        self.constant = self.constant.checked_neg().ok_or_else(Stop::overflow)?;
        // Factors count how often a place is mentioned: far from the end of the range.
        self.terms.iter_mut().for_each(|(_, factor)| *factor = -*factor);
        Ok(())
    }
}

impl<'a> FormulaReader<'_, 'a> {
    pub(super) fn expression(&mut self, tag: &Tag<'a>) -> Result<Expression, Stop> {
        self.check_depth()?;
        match tag.name {
            "integer-constant" => self.constant(),
            "tokens-count" => Ok(Expression { terms: self.tokens()?, constant: 0 }),
            "integer-sum" => self.sum(),
            "integer-difference" => self.difference(),
            other => Err(Stop::refused(format!("`{other}` is not read as an integer expression"))),
        }
    }

    /// The greatest number of tokens on some places together.
    pub(super) fn bound(&mut self) -> Result<Linear, Stop> {
        Linear::new(self.tokens()?, 0).ok_or_else(Stop::overflow)
    }

    fn constant(&mut self) -> Result<Expression, Stop> {
        let value = self.xml.text()?;
        let constant = value.text.trim().parse();
        let constant = constant.map_err(|_| Stop::refused(format!("`{}` is not an integer", shown(&value.text))))?;
        Ok(Expression { terms: Vec::new(), constant })
    }

    /// The tokens of the places that are listed in the current element.
    fn tokens(&mut self) -> Result<Vec<(PlaceId, i64)>, Stop> {
        let mut terms = Vec::new();
        while let Some(tag) = self.xml.child()? {
            if tag.name != "place" {
                return Err(Stop::refused(format!("expected a place, found `{}`", tag.name)));
            }
            let id = self.xml.text()?;
            let unknown = || Stop::refused(format!("the net has no place with the id `{}`", shown(&id.text)));
            let places = self.loaded.ids.places(id.text.trim()).ok_or_else(unknown)?;
            self.check_room(terms.len() + places.len())?;
            terms.extend(places.iter().map(|&p| (p, 1)));
        }
        Ok(terms)
    }

    fn sum(&mut self) -> Result<Expression, Stop> {
        let mut sum = Expression::default();
        while let Some(tag) = self.xml.child()? {
            let part = self.expression(&tag)?;
            sum.add(part)?;
            self.check_room(sum.terms.len())?;
        }
        Ok(sum)
    }

    fn difference(&mut self) -> Result<Expression, Stop> {
        let (mut left, mut right) = self.two(Self::expression)?;
        right.negate()?;
        left.add(right)?;
        Ok(left)
    }

    /// Exactly two operands.
    pub(super) fn two<T>(
        &mut self,
        mut read: impl FnMut(&mut Self, &Tag<'a>) -> Result<T, Stop>,
    ) -> Result<(T, T), Stop> {
        let missing = || Stop::refused("an operator has fewer than two operands");
        let left = self.xml.child()?.ok_or_else(missing)?;
        let left = read(self, &left)?;
        let right = self.only_child(read)?;
        Ok((left, right))
    }
}

/// As much of a text as a message may hold.
pub(super) fn shown(text: &str) -> String {
    text.trim().chars().take(60).collect()
}
