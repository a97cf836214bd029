/* A server asks two clients in turn whether they have work. What it does between two questions is progress only if
   somebody had some: it may go round in vain for ever, and a cycle without progress is what SPIN's -l looks for. Whoever
   has work is served all the same. */
/* expect: deadlock-free holds */
/* expect: progress violated */
/* expect: asked holds */
/* expect: served holds */
/* expect: 28 states, 54 transitions */
bool work[2];
byte turn;

active [2] proctype Client() {
  do
  :: atomic { !work[_pid] -> work[_pid] = true }
  od
}

active proctype Server() {
  do
  :: work[turn] ->
progress:
     work[turn] = false;
     turn = 1 - turn
  :: else -> turn = 1 - turn
  od
}

ltl asked  { [] (turn < 2) }
ltl served { [] (work[0] -> <> !work[0]) }
