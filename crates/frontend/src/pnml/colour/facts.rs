//! Which colours of which places can have tokens, as far as it is known.

use std::collections::HashMap;

/// A colour of a place that was met, numbered within its place.
pub(super) type ColourNumber = u32;

/// The colours of one place.
#[derive(Default)]
pub(super) struct PlaceColours {
    numbers: HashMap<u64, ColourNumber>,
    /// By number.
    pub(super) colours: Vec<u64>,
    /// By number: the moment at which the colour was found to be marked.
    moments: Vec<Option<u32>>,
    /// The marked ones in the order of their moments.
    marked: Vec<ColourNumber>,
}

/// The colours of all places, and the order in which they were found to be marked.
pub(super) struct Facts {
    pub(super) places: Vec<PlaceColours>,
    /// Place and colour, by moment.
    pub(super) found: Vec<(u32, ColourNumber)>,
    pub(super) count: usize,
}

impl Facts {
    pub(super) fn new(places: usize) -> Self {
        Self { places: (0..places).map(|_| PlaceColours::default()).collect(), found: Vec::new(), count: 0 }
    }

    /// Notes that a colour of a place is spoken of.
    pub(super) fn meet(&mut self, place: usize, colour: u64) -> ColourNumber {
        let colours = &mut self.places[place];
        let next = colours.colours.len() as ColourNumber;
        let number = *colours.numbers.entry(colour).or_insert(next);
        if number == next {
            colours.colours.push(colour);
            colours.moments.push(None);
            self.count += 1;
        }
        number
    }

    /// Notes that a colour of a place may be marked.
    pub(super) fn mark(&mut self, place: usize, colour: u64) {
        let number = self.meet(place, colour);
        let colours = &mut self.places[place];
        let moment = &mut colours.moments[number as usize];
        if moment.is_none() {
            *moment = Some(self.found.len() as u32);
            colours.marked.push(number);
            self.found.push((place as u32, number));
        }
    }
}

impl PlaceColours {
    /// The number of a colour that was met.
    pub(super) fn number(&self, colour: u64) -> Option<ColourNumber> {
        self.numbers.get(&colour).copied()
    }

    /// When a colour was found to be marked.
    pub(super) fn moment(&self, colour: u64) -> Option<u32> {
        self.moments[self.number(colour)? as usize]
    }

    /// How many colours are marked.
    pub(super) fn marked(&self) -> usize {
        self.marked.len()
    }

    /// The colours that were found to be marked before a moment.
    pub(super) fn before(&self, end: u32) -> impl Iterator<Item = u64> {
        let early = move |n: &&ColourNumber| self.moments[**n as usize].is_some_and(|moment| moment < end);
        self.marked.iter().take_while(early).map(|n| self.colours[*n as usize])
    }
}
