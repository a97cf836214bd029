/* A watchdog wakes up when all others are stuck: a line lost the only message. It puts things right, and counts how often,
   modulo four. */
/* expect: deadlock-free holds */
/* expect: 33 states */
mtype = { ball };

chan left = [1] of { mtype };
chan right = [1] of { mtype };
unsigned rescues : 2;

active proctype A() {
  do
  :: left?ball;
     if
     :: right!ball
     :: skip       /* dropped */
     fi
  od
}

active proctype B() {
  do
  :: right?ball -> left!ball
  od
}

active proctype Watchdog() {
  left!ball;
  do
  :: timeout ->
     assert(empty(left) && empty(right));
     rescues++;
     left!ball
  od
}
