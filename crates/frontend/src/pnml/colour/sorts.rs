//! Sorts: each is a sequence of basic ones, whose colours are numbered from 0.

use std::collections::HashMap;
use std::sync::Arc;

use super::element::Element;
use crate::Diagnostic;

/// A product has so many components at most.
const MAX_COMPONENTS: usize = 32;

/// A basic sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BasicId(u32);

/// A product of basic sorts, or one of them alone. Products of products are flat: the order of colours is the same.
pub(super) type Sort = Vec<BasicId>;

pub(super) struct Basic {
    pub(super) name: String,
    pub(super) size: u32,
    /// Whether each colour has a successor.
    pub(super) cyclic: bool,
    colours: Colours,
}

enum Colours {
    Dot,
    Listed(Vec<String>),
    From(i64),
}

/// A range of integers.
type Bounds = (i64, i64);

/// All basic sorts.
pub(super) struct Basics {
    all: Vec<Basic>,
    ranges: HashMap<Bounds, BasicId>,
}

/// A set of colours of one basic sort.
#[derive(Clone)]
pub(super) struct ColourSet {
    pub(super) sort: BasicId,
    pub(super) colours: Arc<[u32]>,
}

impl Basics {
    /// The sort of plain tokens.
    pub(super) const DOT: BasicId = BasicId(0);

    pub(super) fn new() -> Self {
        let dot = Basic { name: "dot".into(), size: 1, cyclic: false, colours: Colours::Dot };
        Self { all: vec![dot], ranges: HashMap::new() }
    }

    pub(super) fn get(&self, id: BasicId) -> &Basic {
        &self.all[id.0 as usize]
    }

    fn add(&mut self, basic: Basic) -> BasicId {
        self.all.push(basic);
        BasicId(self.all.len() as u32 - 1)
    }

    /// The sort with these colours; two enumerations are never the same.
    pub(super) fn enumeration(&mut self, colours: Vec<String>, cyclic: bool) -> BasicId {
        let (name, size) = ("an enumeration".into(), colours.len() as u32);
        self.add(Basic { name, size, cyclic, colours: Colours::Listed(colours) })
    }

    /// Names a sort for messages.
    pub(super) fn call(&mut self, id: BasicId, name: &str) {
        name.clone_into(&mut self.all[id.0 as usize].name);
    }

    /// The sort of a range of integers; two ranges with the same bounds are the same.
    pub(super) fn range(&mut self, element: &Element<'_>) -> Result<BasicId, Diagnostic> {
        let (start, end) = (element.number("start")?, element.number("end")?);
        if let Some(id) = self.ranges.get(&(start, end)) {
            return Ok(*id);
        }
        let size = end.checked_sub(start).and_then(|n| u32::try_from(n).ok()).and_then(|n| n.checked_add(1));
        let size = size.filter(|_| end >= start);
        let size =
            size.ok_or_else(|| element.error(format!("{start}..{end} is not a range of at most 2^32 numbers")))?;
        let basic = Basic { name: format!("{start}..{end}"), size, cyclic: false, colours: Colours::From(start) };
        let id = self.add(basic);
        self.ranges.insert((start, end), id);
        Ok(id)
    }

    /// The number of a constant of a range.
    pub(super) fn in_range(&self, id: BasicId, value: i64) -> Option<u32> {
        match &self.get(id).colours {
            Colours::From(start) => {
                let number = u32::try_from(value.checked_sub(*start)?).ok()?;
                (number < self.get(id).size).then_some(number)
            }
            Colours::Dot | Colours::Listed(_) => None,
        }
    }

    /// Puts two sorts side by side.
    pub(super) fn join(&self, left: &mut Sort, right: &[BasicId], at: &Element<'_>) -> Result<(), Diagnostic> {
        left.extend(right);
        if left.len() <= MAX_COMPONENTS {
            return Ok(());
        }
        Err(at.error(format!("a product has more than {MAX_COMPONENTS} components")))
    }

    /// All colours of a basic sort.
    pub(super) fn everything(&self, sort: BasicId) -> ColourSet {
        ColourSet { sort, colours: (0..self.get(sort).size).collect() }
    }

    /// How many colours a sort has; `None` if they cannot be counted with 64 bits.
    pub(super) fn size(&self, sort: &[BasicId]) -> Option<u64> {
        sort.iter().try_fold(1_u64, |size, id| size.checked_mul(u64::from(self.get(*id).size)))
    }

    /// How a sort is called in messages.
    pub(super) fn shown(&self, sort: &[BasicId]) -> String {
        let names: Vec<&str> = sort.iter().map(|id| self.get(*id).name.as_str()).collect();
        names.join(" x ")
    }

    /// How a colour is called; plain tokens are not called anything.
    pub(super) fn colour(&self, id: BasicId, number: u32) -> Option<String> {
        match &self.get(id).colours {
            Colours::Dot => None,
            Colours::Listed(names) => Some(names[number as usize].clone()),
            Colours::From(start) => Some((start + i64::from(number)).to_string()),
        }
    }
}
