//! Makes a place/transition net of the instances of a coloured net.

use model::views::{Place, PlaceId};

use super::ground::{Ground, weights};
use super::net::{ColouredNet, ColouredPlace, ColouredTransition, Inscription};
use super::sorts::Basics;
use crate::Diagnostic;
use crate::loaded_net::Draft;

/// Where the colours of a place went: by their numbers among the colours of the place.
type Places = Vec<PlaceId>;

/// Adds places in the order of their colours, and transitions in the order of the values of their variables.
pub(super) fn build(
    draft: &mut Draft,
    net: &ColouredNet,
    ground: &Ground,
    (places, transitions): (&[&str], &[&str]),
) -> Result<(), Diagnostic> {
    let places: Vec<Places> =
        places.iter().enumerate().map(|(p, id)| add_places(draft, net, ground, (p, id))).collect();
    let weave = Weave { net, ground, places };
    for (t, id) in transitions.iter().enumerate() {
        weave.add_transitions(draft, t, id)?;
    }
    Ok(())
}

fn add_places(draft: &mut Draft, net: &ColouredNet, ground: &Ground, (p, id): (usize, &str)) -> Places {
    let (place, met) = (&net.places[p], &ground.facts.places[p].colours);
    let mut order: Vec<usize> = (0..met.len()).collect();
    order.sort_unstable_by_key(|n| met[*n]);
    let initial = |colour: u64| match place.initial.binary_search_by_key(&colour, |(c, _)| *c) {
        Ok(at) => u32::try_from(place.initial[at].1).expect("initial markings were checked"),
        Err(_) => 0,
    };
    let new = order.iter().map(|n| Place::new(place_name(&net.basics, place, met[*n]), initial(met[*n])));
    let ids = draft.places(id, new);
    let mut places = vec![PlaceId::new(0); met.len()];
    order.into_iter().zip(ids).for_each(|(n, id)| places[n] = id);
    places
}

/// `fork[3]`; plain places have no colour in their names.
fn place_name(basics: &Basics, place: &ColouredPlace, colour: u64) -> String {
    let mut digits = vec![0; place.sizes.len()];
    place.digits(colour, |position, digit| digits[position] = digit);
    let colours = place.sort.iter().zip(digits).filter_map(|(sort, digit)| basics.colour(*sort, digit));
    bracketed(&place.name, colours)
}

/// `take[x=3,y=red]`.
fn transition_name(basics: &Basics, transition: &ColouredTransition, values: &[u32]) -> String {
    let shown = transition.variables.iter().zip(values).filter_map(|(variable, value)| {
        let colour = basics.colour(variable.sort, *value)?;
        Some(format!("{}={colour}", variable.name))
    });
    bracketed(&transition.name, shown)
}

fn bracketed(name: &str, parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<String> = parts.collect();
    if parts.is_empty() { name.to_owned() } else { format!("{name}[{}]", parts.join(",")) }
}

/// The places that are there, and what is needed to connect them.
struct Weave<'n> {
    net: &'n ColouredNet,
    ground: &'n Ground,
    places: Vec<Places>,
}

impl Weave<'_> {
    fn add_transitions(&self, draft: &mut Draft, t: usize, id: &str) -> Result<(), Diagnostic> {
        let (transition, instances) = (&self.net.transitions[t], &self.ground.instances[t]);
        let width = transition.variables.len();
        let values = |n: usize| &instances.values[n * width..(n + 1) * width];
        let mut order: Vec<usize> = (0..instances.count).collect();
        order.sort_unstable_by_key(|n| values(*n));
        let names = order.iter().map(|n| transition_name(&self.net.basics, transition, values(*n)));
        let ids = draft.transitions(id, names);
        for (n, id) in order.into_iter().zip(ids) {
            for input in &transition.inputs {
                self.arcs(input, values(n), |p, weight| draft.builder.consume(id, p, weight))?;
            }
            for output in &transition.outputs {
                self.arcs(output, values(n), |p, weight| draft.builder.produce(id, p, weight))?;
            }
        }
        Ok(())
    }

    fn arcs(
        &self,
        inscription: &Inscription,
        values: &[u32],
        mut add: impl FnMut(PlaceId, u32),
    ) -> Result<(), Diagnostic> {
        let place = &self.net.places[inscription.place];
        let tokens = place.tokens(&inscription.summands, values, usize::MAX).expect("there is no limit");
        for (colour, weight) in weights(tokens, place, inscription.span)? {
            let number = self.ground.facts.places[inscription.place].number(colour).expect("the colour was met");
            add(self.places[inscription.place][number as usize], weight);
        }
        Ok(())
    }
}
