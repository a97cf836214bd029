//! Terms: sums of tokens whose components are constants, variables, their successors, and sets of colours.

use std::collections::HashMap;
use std::sync::Arc;

use super::declarations::Declarations;
use super::element::Element;
use super::sorts::{BasicId, Basics, ColourSet, Sort};
use crate::Diagnostic;

/// A sum has so many summands at most once tuples of sums are written out.
const MAX_SUMMANDS: usize = 1_000_000;

/// A transition has so many variables at most.
pub(super) const MAX_VARIABLES: usize = 128;

/// One component of a token.
#[derive(Clone, Debug)]
pub(super) enum Component {
    Constant(u32),
    /// A variable of the transition, with the number of steps to go on from its value, in a circle.
    Variable {
        number: usize,
        shift: u32,
        size: u32,
    },
    /// One token for each of these.
    Each(Arc<[u32]>),
}

/// So many tokens of a colour.
#[derive(Clone, Debug)]
pub(super) struct Summand {
    pub(super) coefficient: i64,
    pub(super) token: Vec<Component>,
}

/// A sum of tokens of one sort.
pub(super) struct Multiset {
    pub(super) sort: Sort,
    pub(super) summands: Vec<Summand>,
}

/// A variable of a transition: one component of a variable of the net.
#[derive(Debug)]
pub(super) struct Local {
    pub(super) name: String,
    pub(super) sort: BasicId,
    pub(super) size: u32,
}

/// The variables that a transition uses, in the order of their first use.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) variables: Vec<Local>,
    first: HashMap<String, usize>,
}

impl Component {
    /// The colour for values of the variables.
    pub(super) fn value(&self, values: &[u32]) -> Option<u32> {
        match self {
            Self::Constant(value) => Some(*value),
            Self::Variable { number, shift, size } => Some(shifted(values[*number], *shift, *size)),
            Self::Each(_) => None,
        }
    }

    /// A component as many steps further.
    fn step(&self, steps: u32, modulus: u32) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(shifted(*value, steps, modulus)),
            Self::Variable { number, shift, size } => {
                Self::Variable { number: *number, shift: shifted(*shift, steps, modulus), size: *size }
            }
            Self::Each(colours) => Self::Each(colours.iter().map(|c| shifted(*c, steps, modulus)).collect()),
        }
    }
}

/// `value + shift`, in a circle.
pub(super) fn shifted(value: u32, shift: u32, size: u32) -> u32 {
    ((u64::from(value) + u64::from(shift)) % u64::from(size)) as u32
}

/// Gives elements their meaning.
pub(super) struct TermReader<'d, 'e, 'a> {
    pub(super) declarations: &'d mut Declarations<'e, 'a>,
    /// `None` where no variables may occur.
    pub(super) scope: Option<&'d mut Scope>,
}

impl<'a> TermReader<'_, '_, 'a> {
    /// A sum of tokens.
    pub(super) fn multiset(&mut self, element: &Element<'a>) -> Result<Multiset, Diagnostic> {
        match element.tag.name {
            "add" => self.sum(element, 1),
            "subtract" => self.sum(element, -1),
            "numberof" | "scalarproduct" => self.number_of(element),
            "empty" => Ok(Multiset { sort: self.declarations.sort(element.only()?)?, summands: Vec::new() }),
            "tuple" => self.tuple(element),
            "variable" => self.variable(element),
            "successor" => self.step(element, true),
            "predecessor" => self.step(element, false),
            "all" => self.all(element),
            "dotconstant" => Ok(single(Basics::DOT, Component::Constant(0))),
            "useroperator" => self.operator(element),
            "finiteintrangeconstant" => self.range_constant(element),
            other => Err(element.error(format!("terms with `{other}` are not supported"))),
        }
    }

    /// A sum of tokens of a sort that is known.
    pub(super) fn multiset_of(&mut self, sort: &[BasicId], element: &Element<'a>) -> Result<Vec<Summand>, Diagnostic> {
        let multiset = self.multiset(element)?;
        if multiset.sort == sort { Ok(multiset.summands) } else { Err(self.mismatch(element, sort, &multiset.sort)) }
    }

    fn mismatch(&self, at: &Element<'_>, expected: &[BasicId], found: &[BasicId]) -> Diagnostic {
        let basics = &self.declarations.basics;
        let (expected, found) = (basics.shown(expected), basics.shown(found));
        at.error(format!("this term is of the sort `{found}`, and `{expected}` is expected"))
    }

    /// The first operand, and the others added or taken away.
    fn sum(&mut self, element: &Element<'a>, sign: i64) -> Result<Multiset, Diagnostic> {
        let (first, others) = element.children.split_first().ok_or_else(|| element.error("a sum has no operands"))?;
        let mut sum = self.multiset(first)?;
        for other in others {
            let mut summands = self.multiset_of(&sum.sort, other)?;
            summands.iter_mut().for_each(|s| s.coefficient *= sign);
            sum.summands.append(&mut summands);
        }
        self.check_length(sum.summands.len(), element)?;
        Ok(sum)
    }

    fn check_length(&self, summands: usize, at: &Element<'_>) -> Result<(), Diagnostic> {
        if summands <= MAX_SUMMANDS {
            return Ok(());
        }
        Err(at.error(format!("a sum has more than {MAX_SUMMANDS} summands")))
    }

    fn number_of(&mut self, element: &Element<'a>) -> Result<Multiset, Diagnostic> {
        let (number, term) = element.pair()?;
        if number.tag.name != "numberconstant" {
            return Err(number.error("the number of tokens is not a constant"));
        }
        let count = u32::try_from(number.number("value")?);
        let count = count.map_err(|_| number.error("a number of tokens is negative or more than 4294967295"))?;
        let mut multiset = self.multiset(term)?;
        for summand in &mut multiset.summands {
            let product = summand.coefficient.checked_mul(i64::from(count));
            summand.coefficient = product.ok_or_else(|| number.error("a number of tokens is out of range"))?;
        }
        Ok(multiset)
    }

    /// All combinations of the summands of the components.
    fn tuple(&mut self, element: &Element<'a>) -> Result<Multiset, Diagnostic> {
        let mut product = Multiset { sort: Sort::new(), summands: vec![Summand { coefficient: 1, token: Vec::new() }] };
        for part in &element.children {
            let component = self.multiset(part)?;
            self.declarations.basics.join(&mut product.sort, &component.sort, part)?;
            self.check_length(product.summands.len().saturating_mul(component.summands.len()), part)?;
            let mut summands = Vec::new();
            for left in &product.summands {
                for right in &component.summands {
                    let coefficient = left.coefficient.checked_mul(right.coefficient);
                    let coefficient = coefficient.ok_or_else(|| part.error("a number of tokens is out of range"))?;
                    let token = left.token.iter().chain(&right.token).cloned().collect();
                    summands.push(Summand { coefficient, token });
                }
            }
            product.summands = summands;
        }
        if product.sort.is_empty() { Err(element.error("a tuple has no components")) } else { Ok(product) }
    }

    fn variable(&mut self, element: &Element<'a>) -> Result<Multiset, Diagnostic> {
        let id = element.required("refvariable")?;
        let unknown = || Diagnostic::error(id.span, format!("there is no variable `{}`", id.text));
        let variable = self.declarations.variable(&id.text).ok_or_else(unknown)?;
        let Some(scope) = &mut self.scope else {
            return Err(Diagnostic::error(id.span, "a variable occurs where only constants may"));
        };
        let first = *scope.first.entry(id.text.to_string()).or_insert(scope.variables.len());
        let mut token = Vec::new();
        for (position, &sort) in variable.sort.iter().enumerate() {
            let size = self.declarations.basics.get(sort).size;
            let number = first + position;
            if number == scope.variables.len() {
                let name = match variable.sort.len() {
                    1 => variable.name.clone(),
                    _ => format!("{}.{}", variable.name, position + 1),
                };
                scope.variables.push(Local { name, sort, size });
            }
            token.push(Component::Variable { number, shift: 0, size });
        }
        if scope.variables.len() > MAX_VARIABLES {
            return Err(element.error(format!("a transition has more than {MAX_VARIABLES} variables")));
        }
        Ok(Multiset { sort: variable.sort.clone(), summands: vec![Summand { coefficient: 1, token }] })
    }

    fn step(&mut self, element: &Element<'a>, forwards: bool) -> Result<Multiset, Diagnostic> {
        let mut multiset = self.multiset(element.only()?)?;
        let basics = &self.declarations.basics;
        let [sort] = multiset.sort.as_slice() else {
            return Err(element.error("a tuple has no successor or predecessor"));
        };
        let basic = basics.get(*sort);
        if !basic.cyclic {
            let message =
                format!("the sort `{}` is no cyclic enumeration: its last colour has no successor", basic.name);
            return Err(element.error(message));
        }
        let steps = if forwards { 1 } else { basic.size - 1 };
        for summand in &mut multiset.summands {
            summand.token.iter_mut().for_each(|c| *c = c.step(steps, basic.size));
        }
        Ok(multiset)
    }

    fn all(&mut self, element: &Element<'a>) -> Result<Multiset, Diagnostic> {
        let sort = self.declarations.sort(element.only()?)?;
        let basics = &self.declarations.basics;
        let each = |&basic: &BasicId| match basics.get(basic).size {
            1 => Component::Constant(0),
            _ => Component::Each(basics.everything(basic).colours),
        };
        if let Some(&large) = sort.iter().find(|basic| basics.get(**basic).size > MAX_SUMMANDS as u32) {
            return Err(element.error(format!("the sort `{}` has too many colours", basics.shown(&[large]))));
        }
        let token = sort.iter().map(each).collect();
        Ok(Multiset { summands: vec![Summand { coefficient: 1, token }], sort })
    }

    /// A constant of an enumeration, or the sum of a part of one.
    fn operator(&mut self, element: &Element<'a>) -> Result<Multiset, Diagnostic> {
        let id = element.required("declaration")?;
        if let Some(ColourSet { sort, colours }) = self.declarations.part(&id.text) {
            return Ok(single(*sort, Component::Each(colours.clone())));
        }
        let (sort, number) = self.declarations.constant(element)?;
        Ok(single(sort, Component::Constant(number)))
    }

    fn range_constant(&mut self, element: &Element<'a>) -> Result<Multiset, Diagnostic> {
        let value = element.number("value")?;
        let range = element.only()?;
        let sort = self.declarations.sort(range)?;
        let number = match sort.as_slice() {
            [basic] => self.declarations.basics.in_range(*basic, value).map(|number| (*basic, number)),
            _ => None,
        };
        let (sort, number) = number.ok_or_else(|| element.error(format!("{value} is not in the range")))?;
        Ok(single(sort, Component::Constant(number)))
    }
}

fn single(sort: BasicId, component: Component) -> Multiset {
    Multiset { sort: vec![sort], summands: vec![Summand { coefficient: 1, token: vec![component] }] }
}
