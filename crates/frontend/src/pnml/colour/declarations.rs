//! What the declarations of a net introduce: sorts, constants, sets of colours, variables.

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};

use super::element::Element;
use super::sorts::{BasicId, Basics, ColourSet, Sort};
use crate::Diagnostic;

/// Sorts are defined by other sorts over so many steps at most.
const MAX_STEPS: usize = 50;

/// A variable of the net, before a transition uses it.
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) sort: Sort,
}

/// A sort on its way from its declaration to its meaning.
enum Named<'e, 'a> {
    Declared(&'e Element<'a>),
    Known(Sort),
}

/// All declarations.
pub(super) struct Declarations<'e, 'a> {
    pub(super) basics: Basics,
    sorts: HashMap<Cow<'a, str>, Named<'e, 'a>>,
    constants: HashMap<Cow<'a, str>, (BasicId, u32)>,
    parts: HashMap<Cow<'a, str>, ColourSet>,
    variables: HashMap<Cow<'a, str>, Variable>,
}

impl<'e, 'a> Declarations<'e, 'a> {
    pub(super) fn read(labels: &'e [Element<'a>]) -> Result<Self, Diagnostic> {
        let (sorts, constants) = (HashMap::new(), HashMap::new());
        let mut all =
            Self { basics: Basics::new(), sorts, constants, parts: HashMap::new(), variables: HashMap::new() };
        let elements = || labels.iter().flat_map(|label| &label.children);
        elements().filter(|e| e.tag.name == "namedsort").try_for_each(|e| all.declare_sort(e))?;
        for element in elements().filter(|e| e.tag.name == "namedsort") {
            all.named_sort(&element.required("id")?.text, element, MAX_STEPS)?;
        }
        for element in elements() {
            match element.tag.name {
                "namedsort" => {}
                "variabledecl" => all.variable_declaration(element)?,
                "partition" => all.partition(element)?,
                other => return Err(element.error(format!("declarations by `{other}` are not supported"))),
            }
        }
        Ok(all)
    }

    fn declare_sort(&mut self, element: &'e Element<'a>) -> Result<(), Diagnostic> {
        fresh(&mut self.sorts, element, Named::Declared(element))
    }

    /// The sort that an element denotes.
    pub(super) fn sort(&mut self, element: &Element<'a>) -> Result<Sort, Diagnostic> {
        self.sort_in(element, MAX_STEPS)
    }

    fn sort_in(&mut self, element: &Element<'a>, steps: usize) -> Result<Sort, Diagnostic> {
        let Some(steps) = steps.checked_sub(1) else {
            return Err(element.error("sorts are defined by each other in a circle, or over too many steps"));
        };
        match element.tag.name {
            "usersort" => {
                let id = element.required("declaration")?;
                self.named_sort(&id.text, element, steps)
            }
            "dot" => Ok(vec![Basics::DOT]),
            "finiteintrange" => Ok(vec![self.basics.range(element)?]),
            "productsort" => {
                let mut product = Sort::new();
                for part in &element.children {
                    let part_sort = self.sort_in(part, steps)?;
                    self.basics.join(&mut product, &part_sort, part)?;
                }
                if product.is_empty() { Err(element.error("a product has no components")) } else { Ok(product) }
            }
            "cyclicenumeration" | "finiteenumeration" => self.enumeration(element),
            other => Err(element.error(format!("the sort `{other}` is not supported"))),
        }
    }

    fn named_sort(&mut self, id: &str, at: &Element<'a>, steps: usize) -> Result<Sort, Diagnostic> {
        let declared = match self.sorts.get(id) {
            Some(Named::Known(sort)) => return Ok(sort.clone()),
            Some(Named::Declared(element)) => *element,
            // Plain tokens are what many files leave undeclared.
            None if id == "dot" => return Ok(vec![Basics::DOT]),
            None => return Err(at.error(format!("there is no sort `{id}`"))),
        };
        let definition = declared.only()?;
        let sort = self.sort_in(definition, steps)?;
        if definition.tag.name.ends_with("enumeration") {
            self.basics.call(sort[0], id);
        }
        self.sorts.insert(id.to_owned().into(), Named::Known(sort.clone()));
        Ok(sort)
    }

    fn enumeration(&mut self, element: &Element<'a>) -> Result<Sort, Diagnostic> {
        let mut names = Vec::with_capacity(element.children.len());
        let mut taken = HashSet::new();
        for constant in &element.children {
            let id = constant.required("id")?.text;
            let name = constant.tag.attribute("name")?.map_or_else(|| id.clone(), |name| name.text);
            let mut name = name.into_owned();
            while !taken.insert(name.clone()) {
                name = format!("{name} ({id})");
            }
            names.push(name);
        }
        if names.is_empty() {
            return Err(element.error("an enumeration has no constants"));
        }
        let sort = self.basics.enumeration(names, element.tag.name == "cyclicenumeration");
        for (constant, number) in element.children.iter().zip(0..) {
            fresh(&mut self.constants, constant, (sort, number))?;
        }
        Ok(vec![sort])
    }

    fn variable_declaration(&mut self, element: &Element<'a>) -> Result<(), Diagnostic> {
        let sort = self.sort(element.only()?)?;
        let name = element.tag.attribute("name")?.filter(|name| !name.text.is_empty());
        let name = name.map_or_else(|| element.required("id"), Ok)?.text.into_owned();
        fresh(&mut self.variables, element, Variable { name, sort })
    }

    fn partition(&mut self, element: &Element<'a>) -> Result<(), Diagnostic> {
        let Some((sort, parts)) = element.children.split_first() else {
            return Err(element.error("a partition has no sort"));
        };
        let sort = self.sort(sort)?;
        for part in parts {
            let mut colours = Vec::new();
            for constant in &part.children {
                let (basic, number) = self.constant(constant)?;
                if sort != [basic] {
                    return Err(constant.error("this is no constant of the sort that is partitioned"));
                }
                colours.push(number);
            }
            let sort = *sort.first().expect("sorts have components");
            fresh(&mut self.parts, part, ColourSet { sort, colours: colours.into() })?;
        }
        Ok(())
    }

    /// The constant that an element refers to.
    pub(super) fn constant(&self, element: &Element<'a>) -> Result<(BasicId, u32), Diagnostic> {
        let id = element.required("declaration")?;
        let unknown = || Diagnostic::error(id.span, format!("there is no constant `{}`", id.text));
        self.constants.get(&id.text).copied().ok_or_else(unknown)
    }

    /// The set of colours with a name, if there is one.
    pub(super) fn part(&self, id: &str) -> Option<&ColourSet> {
        self.parts.get(id)
    }

    /// The variable with an id, if there is one.
    pub(super) fn variable(&self, id: &str) -> Option<&Variable> {
        self.variables.get(id)
    }
}

/// Enters what an element declares under its id.
fn fresh<'a, T>(table: &mut HashMap<Cow<'a, str>, T>, element: &Element<'a>, value: T) -> Result<(), Diagnostic> {
    let id = element.required("id")?;
    match table.entry(id.text) {
        Entry::Occupied(entry) => {
            Err(Diagnostic::error(id.span, format!("`{}` is declared twice", entry.key())).label("declared before"))
        }
        Entry::Vacant(entry) => {
            entry.insert(value);
            Ok(())
        }
    }
}
