//! Labels of coloured nets as trees: declarations come after their uses in many files, so terms are kept until then.

use crate::Diagnostic;
use crate::xml::{Tag, Value, Xml};

/// Terms nest so deep at most, sums in sums and disjunctions in disjunctions not counted.
const MAX_HEIGHT: usize = 200;

/// Operators whose nesting means nothing.
const ASSOCIATIVE: [&str; 3] = ["add", "and", "or"];

/// An element with the elements inside. `subterm` is left out: its content stands in its place.
pub(in crate::pnml) struct Element<'a> {
    pub(super) tag: Tag<'a>,
    pub(super) children: Vec<Element<'a>>,
    height: usize,
}

impl<'a> Element<'a> {
    fn new(tag: Tag<'a>) -> Self {
        Self { tag, children: Vec::new(), height: 0 }
    }

    /// Reads the element of a tag to its end.
    fn read(xml: &mut Xml<'a>, tag: Tag<'a>) -> Result<Self, Diagnostic> {
        let (mut element, mut around) = (Self::new(tag), Vec::new());
        loop {
            if let Some(tag) = xml.child()? {
                around.push(std::mem::replace(&mut element, Self::new(tag)));
                continue;
            }
            let Some(mut outer) = around.pop() else { return Ok(element) };
            outer.take_in(element)?;
            element = outer;
        }
    }

    fn take_in(&mut self, child: Element<'a>) -> Result<(), Diagnostic> {
        if child.tag.name != "subterm" {
            return self.push(child);
        }
        if self.tag.name == "subterm" {
            return Err(child.error("a subterm is directly inside a subterm"));
        }
        child.children.into_iter().try_for_each(|grandchild| self.push(grandchild))
    }

    fn push(&mut self, mut child: Element<'a>) -> Result<(), Diagnostic> {
        let name = child.tag.name;
        if name == self.tag.name && ASSOCIATIVE.contains(&name) {
            self.height = self.height.max(child.height);
            // These operators are commutative, too: the longer list stays, so that deep nesting is not quadratic.
            if self.children.len() < child.children.len() {
                std::mem::swap(&mut self.children, &mut child.children);
            }
            self.children.append(&mut child.children);
            return Ok(());
        }
        self.height = self.height.max(child.height + 1);
        if self.height > MAX_HEIGHT {
            return Err(child.error(format!("more than {MAX_HEIGHT} terms are nested")));
        }
        self.children.push(child);
        Ok(())
    }

    /// The element inside the `structure` of the label of a tag, whose end is passed. A label that has only a text
    /// for people is refused: it says something that would be ignored.
    pub(in crate::pnml) fn label(xml: &mut Xml<'a>, label: &Tag<'a>) -> Result<Option<Self>, Diagnostic> {
        let (mut found, mut text) = (None, false);
        while let Some(tag) = xml.child()? {
            match tag.name {
                "structure" if found.is_some() => return Err(several(&tag)),
                "structure" => found = Some(Self::read(xml, tag)?),
                "text" => text |= !xml.text()?.text.trim().is_empty(),
                _ => xml.skip()?,
            }
        }
        let Some(structure) = found else {
            let message = format!("`{}` has a text and no structure", label.name);
            return if text { Err(Diagnostic::error(label.span, message)) } else { Ok(None) };
        };
        if structure.children.len() > 1 {
            return Err(several(&structure.tag));
        }
        Ok(structure.children.into_iter().next())
    }

    pub(in crate::pnml) fn error(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::error(self.tag.span, message)
    }

    /// An attribute that must be there.
    pub(super) fn required(&self, attribute: &str) -> Result<Value<'a>, Diagnostic> {
        super::super::document::required(&self.tag, attribute)
    }

    /// The only element inside.
    pub(super) fn only(&self) -> Result<&Element<'a>, Diagnostic> {
        match self.children.as_slice() {
            [child] => Ok(child),
            children => Err(self.error(format!("`{}` has {} operands, not one", self.tag.name, children.len()))),
        }
    }

    /// The two elements inside.
    pub(super) fn pair(&self) -> Result<(&Element<'a>, &Element<'a>), Diagnostic> {
        match self.children.as_slice() {
            [left, right] => Ok((left, right)),
            children => Err(self.error(format!("`{}` has {} operands, not two", self.tag.name, children.len()))),
        }
    }

    /// An attribute that is an integer.
    pub(super) fn number(&self, attribute: &str) -> Result<i64, Diagnostic> {
        let value = self.required(attribute)?;
        let shown: String = value.text.chars().take(40).collect();
        let bad = |_| Diagnostic::error(value.span, format!("`{shown}` is not an integer of 64 bits"));
        value.text.trim().parse().map_err(bad)
    }
}

fn several(tag: &Tag<'_>) -> Diagnostic {
    Diagnostic::error(tag.span, "a label has more than one term")
}
