/* A line that drops calls. To be cut off again and again is labelled as what must not go on for ever: the acceptance cycle
   that SPIN's -a looks for. The claim says the same in its own way. */
/* expect: deadlock-free holds */
/* expect: acceptance-free violated */
/* expect: given_up violated */
/* expect: hangs_up violated */
/* expect: 6 states, 6 transitions */
mtype = { dial, answer, drop };
chan line = [0] of { mtype };
bool talking;

active proctype Caller() {
  do
  :: line!dial;
     if
     :: line?answer -> talking = true; talking = false; break
     :: line?drop ->
accept_cut:
        skip
     fi
  od
}

active proctype Exchange() {
end:
  do
  :: line?dial ->
     if
     :: line!answer
     :: line!drop
     fi
  od
}

ltl hangs_up { <> talking }

never given_up {
  do
  :: true
  :: !talking -> break
  od;
accept:
  do
  :: !talking
  od
}
