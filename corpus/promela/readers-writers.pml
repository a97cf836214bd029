/* Readers share, writers do not. A monitor is an `atomic` sequence whose first statement waits; a writer who waits keeps
   new readers out, so that it is not starved. */
/* expect: deadlock-free holds */
/* expect: 44 states */
#define READERS 2
#define WRITERS 2

byte reading, writing, waiting;

active [READERS] proctype Reader() {
  do
  :: atomic { (writing == 0 && waiting == 0) -> reading++ };
     assert(writing == 0);
     reading--
  od
}

active [WRITERS] proctype Writer() {
  do
  :: waiting++;
     atomic { (reading == 0 && writing == 0) -> writing++; waiting-- };
     assert(reading == 0 && writing == 1);
     writing--
  od
}
