//! Which colours of which places can have tokens, as far as it is known.

use std::collections::HashMap;

/// A colour of a place that was met, numbered within its place.
pub(super) type ColourNumber = u32;

/// Sorts with at most so many colours get a table.
const MAX_TABLE: u64 = 1 << 21;

/// The numbers of colours.
enum Numbers {
    /// One more than the number, by colour; zero if there is none. The memory of a part never used is never touched.
    Table(Vec<u32>),
    Map(HashMap<u64, ColourNumber>),
}

/// The colours of one place.
pub(super) struct PlaceColours {
    numbers: Numbers,
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
    /// Nothing is known yet of places whose sorts have so many colours.
    pub(super) fn new(sizes: impl Iterator<Item = u64>) -> Self {
        Self { places: sizes.map(PlaceColours::new).collect(), found: Vec::new(), count: 0 }
    }

    /// Notes that a colour of a place is spoken of.
    pub(super) fn meet(&mut self, place: usize, colour: u64) -> ColourNumber {
        let colours = &mut self.places[place];
        let next = colours.colours.len() as ColourNumber;
        let number = colours.numbers.find_or(colour, next);
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

impl Numbers {
    fn find(&self, colour: u64) -> Option<ColourNumber> {
        match self {
            Self::Table(table) => table[colour as usize].checked_sub(1),
            Self::Map(map) => map.get(&colour).copied(),
        }
    }

    /// The number of a colour, which is `next` if it is new.
    fn find_or(&mut self, colour: u64, next: ColourNumber) -> ColourNumber {
        match self {
            Self::Table(table) => {
                let entry = &mut table[colour as usize];
                if *entry == 0 {
                    *entry = next + 1;
                }
                *entry - 1
            }
            Self::Map(map) => *map.entry(colour).or_insert(next),
        }
    }
}

impl PlaceColours {
    fn new(size: u64) -> Self {
        let numbers =
            if size <= MAX_TABLE { Numbers::Table(vec![0; size as usize]) } else { Numbers::Map(HashMap::new()) };
        Self { numbers, colours: Vec::new(), moments: Vec::new(), marked: Vec::new() }
    }

    /// The number of a colour that was met.
    pub(super) fn number(&self, colour: u64) -> Option<ColourNumber> {
        self.numbers.find(colour)
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
