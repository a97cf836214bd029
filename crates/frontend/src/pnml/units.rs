//! NUPN data in PNML: units with the ids of their places and subunits.

use std::collections::HashMap;

use model::Span;
use model::views::Net;

use super::symbols::{Meaning, Symbols};
use crate::Diagnostic;
use crate::nupn::{Nupn, Unit, UnitId};
use crate::xml::{Tag, Value, Xml};

/// What the file says, before it is compared with the net.
pub(super) struct RawNupn<'a> {
    pub(super) span: Span,
    /// The numbers of places, transitions and arcs.
    size: [Option<Value<'a>>; 3],
    count: Option<Value<'a>>,
    root: Option<Value<'a>>,
    safe: bool,
    units: Vec<RawUnit<'a>>,
}

#[derive(Default)]
struct RawUnit<'a> {
    id: Option<Value<'a>>,
    places: Option<Value<'a>>,
    subunits: Option<Value<'a>>,
}

impl<'a> RawNupn<'a> {
    pub(super) fn read(xml: &mut Xml<'a>, span: Span) -> Result<Self, Diagnostic> {
        let (size, count, root) = ([None, None, None], None, None);
        let mut nupn = Self { span, size, count, root, safe: false, units: Vec::new() };
        while let Some(tag) = xml.child()? {
            match tag.name {
                "size" => {
                    nupn.size = [tag.attribute("places")?, tag.attribute("transitions")?, tag.attribute("arcs")?];
                    xml.skip()?;
                }
                "structure" => nupn.structure(xml, &tag)?,
                _ => xml.skip()?,
            }
        }
        Ok(nupn)
    }

    fn structure(&mut self, xml: &mut Xml<'a>, tag: &Tag<'a>) -> Result<(), Diagnostic> {
        self.count = tag.attribute("units")?;
        self.root = tag.attribute("root")?;
        self.safe = tag.attribute("safe")?.is_some_and(|v| v.text == "true");
        while let Some(tag) = xml.child()? {
            if tag.name == "unit" {
                let unit = unit(xml, &tag)?;
                self.units.push(unit);
            } else {
                xml.skip()?;
            }
        }
        Ok(())
    }

    /// The hierarchy, or why it does not fit the net.
    pub(super) fn check(&self, net: &Net, symbols: &Symbols<'_>) -> Result<Nupn, String> {
        self.check_sizes(net)?;
        let mut numbers = HashMap::new();
        for (raw, n) in self.units.iter().zip(0..) {
            let id = raw.id.as_ref().ok_or("a unit has no id")?;
            if numbers.insert(&*id.text, UnitId(n)).is_some() {
                return Err(format!("two units are called `{}`", id.text));
            }
        }
        let number = |id: &str| numbers.get(id).copied().ok_or_else(|| format!("there is no unit `{id}`"));
        let root = number(self.root.as_ref().map_or("", |v| &v.text))?;
        let mut units = Vec::with_capacity(self.units.len());
        for raw in &self.units {
            let place = |id: &str| match symbols.find(id) {
                Some(Meaning::Place(p)) => Ok(p),
                _ => Err(format!("there is no place `{id}`")),
            };
            let places = words(&raw.places).map(place).collect::<Result<_, _>>()?;
            let subunits = words(&raw.subunits).map(number).collect::<Result<_, _>>()?;
            units.push(Unit {
                name: raw.id.as_ref().map_or_else(String::new, |id| id.text.to_string()),
                places,
                subunits,
            });
        }
        let nupn = Nupn { units, root, safe: self.safe };
        nupn.check(net).map(|()| nupn)
    }

    fn check_sizes(&self, net: &Net) -> Result<(), String> {
        let arcs = net.transition_ids().map(|t| net.pre(t).len() + net.post(t).len()).sum();
        let actual = [net.places().len(), net.transitions().len(), arcs, self.units.len()];
        let claims = self.size.iter().chain([&self.count]);
        for ((claim, actual), what) in claims.zip(actual).zip(["places", "transitions", "arcs", "units"]) {
            if let Some(claim) = claim.as_ref().filter(|c| c.text.parse() != Ok(actual)) {
                return Err(format!("it counts {} {what}, and there are {actual}", claim.text));
            }
        }
        Ok(())
    }
}

fn unit<'a>(xml: &mut Xml<'a>, tag: &Tag<'a>) -> Result<RawUnit<'a>, Diagnostic> {
    let mut unit = RawUnit { id: tag.attribute("id")?, ..RawUnit::default() };
    while let Some(tag) = xml.child()? {
        match tag.name {
            "places" => unit.places = Some(xml.text()?),
            "subunits" => unit.subunits = Some(xml.text()?),
            _ => xml.skip()?,
        }
    }
    Ok(unit)
}

fn words<'v>(value: &'v Option<Value<'_>>) -> impl Iterator<Item = &'v str> {
    value.iter().flat_map(|v| v.text.split_ascii_whitespace())
}
