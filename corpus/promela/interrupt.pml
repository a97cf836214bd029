/* A worker that is interrupted wherever it stands: `unless`. The interrupt comes before anything that the worker could do,
   an inner handler after the outer one; a rendezvous inside the sequence is given up with it. */
/* expect: deadlock-free holds */
/* expect: 184 states */
mtype = { work, reset, off };

chan panel = [1] of { mtype };
chan tool = [0] of { bit };
byte done;
bool broken;

active proctype Worker() {
  bit result;
start:
  {
    {
      do
      :: tool?result; done = (done + result) % 3
      :: done == 2 -> broken = true; done = 0
      od
    } unless {
      broken -> broken = false; done = 0; goto start
    }
  } unless {
    if
    :: panel?reset -> done = 0; broken = false; goto start
    :: panel?off -> skip
    fi
  };
  assert(empty(panel))
}

active proctype Tool() {
end:
  do
  :: tool!0
  :: tool!1
  od
}

active proctype Operator() {
  do
  :: panel!reset
  :: panel!off -> break
  od
}
