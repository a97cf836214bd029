//! Parameters, constants and enumerations. Each may use those above it; enumerations come first.

use std::sync::Arc;

use model::{Enumeration, Span};

use super::Elaborator;
use super::scope::{Entity, Scope};
use super::types::{Type, Typed};
use crate::Diagnostic;
use crate::native::Setting;
use crate::native::ast::{Expr, Item, Name};
use crate::native::nearest::suggestion;
use crate::native::report::{Checked, Reported};

impl<'t> Elaborator<'t> {
    /// Declares all constants, the settings in place of the parameters' defaults.
    pub(super) fn constants(&mut self, items: &[Item<'t>], settings: &[Setting]) {
        self.unknown_settings(items, settings);
        for item in items {
            if let Item::Enum(name, values) = item {
                self.enumeration(name, values);
            }
        }
        for item in items {
            let (noun, name, value) = match item {
                Item::Param(name, value) => ("parameter", name, value),
                Item::Const(name, value) => ("constant", name, value),
                _ => continue,
            };
            let setting = settings.iter().rev().find(|(n, _)| noun == "parameter" && n == name.text).map(|(_, v)| *v);
            match self.constant_value(name, value, setting) {
                Ok((ty, value)) => self.declare(name, Entity::Constant(noun, ty, value)),
                // If its value is wrong, its uses are not to blame.
                Err(Reported) => self.reports.skip(std::iter::once(name.text)),
            }
        }
    }

    fn constant_value(&mut self, name: &Name<'t>, value: &Expr<'t>, setting: Option<i64>) -> Checked<(Type, i64)> {
        let typed = self.expr(value, &Scope::default())?;
        let default = self.constant(typed.clone(), &format!("the value of `{}`", name.text))?;
        let Some(setting) = setting else { return Ok((typed.ty, default)) };
        let fits = match &typed.ty {
            Type::Int => true,
            Type::Bool => (0..=1).contains(&setting),
            Type::Named(e) => usize::try_from(setting).is_ok_and(|v| v < e.constants.len()),
        };
        if !fits {
            let message = format!("the parameter `{}` is {} and cannot be {setting}", name.text, typed.ty.noun());
            return Err(self.error(Diagnostic::error(name.span, message).label("set to another value from outside")));
        }
        Ok((typed.ty, setting))
    }

    fn unknown_settings(&mut self, items: &[Item<'t>], settings: &[Setting]) {
        let params: Vec<&Name<'t>> =
            items.iter().filter_map(|i| if let Item::Param(name, _) = i { Some(name) } else { None }).collect();
        let span = params.first().map_or(Span::new(0, 0), |name| name.span);
        let known = |n: &str| params.iter().any(|p| p.text == n) || self.reports.is_unread(n);
        let unknown: Vec<&String> = settings.iter().map(|(n, _)| n).filter(|n| !known(n)).collect();
        for name in unknown {
            let what = Diagnostic::error(span, format!("the model has no parameter `{name}`"));
            let what = match params.is_empty() {
                true => what.help("it has no parameters at all: declare one with `param n = 3`"),
                false => {
                    let names = params.iter().map(|p| p.text);
                    let all = format!("its parameters are {}", names.clone().collect::<Vec<_>>().join(", "));
                    what.label("the first parameter").help(all).maybe_help(suggestion(name, names))
                }
            };
            self.error(what);
        }
    }

    fn enumeration(&mut self, name: &Name<'t>, values: &[Name<'t>]) {
        if values.is_empty() {
            let what = Diagnostic::error(name.span, format!("the enumeration `{}` has no values", name.text));
            self.error(what.label("needs at least one"));
        }
        let constants = values.iter().map(|v| v.text.to_owned()).collect();
        let enumeration = Arc::new(Enumeration { name: name.text.to_owned(), constants });
        self.declare(name, Entity::Enumeration(enumeration.clone()));
        for (i, value) in values.iter().enumerate() {
            let ty = Type::Named(enumeration.clone());
            self.declare(value, Entity::Constant("enumeration value", ty, i as i64));
        }
    }

    /// A constant expression of the type of `domain` and within it.
    pub(super) fn constant_in(&mut self, e: &Expr<'t>, domain: &model::Domain, scope: &Scope<'t>) -> Checked<i64> {
        let typed = self.expr(e, scope)?;
        let typed = self.fitting(typed, domain)?;
        self.constant(typed, "an initial value")
    }

    /// An expression of the type of `domain`; a constant must be within it.
    pub(super) fn fitting(&mut self, typed: Typed, domain: &model::Domain) -> Checked<Typed> {
        let ty = Type::of(domain);
        let typed = self.of_type(typed, &ty, None)?;
        match typed.value() {
            Some(value) if !domain.contains(value) => {
                let what = Diagnostic::error(typed.span, format!("the value {value} is outside {domain}"));
                self.cannot_happen(what.label(format!("expected {domain}")), ty)
            }
            _ => Ok(typed),
        }
    }
}
