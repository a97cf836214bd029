/* What `atomic` promises and what not: a process that blocks in the middle loses control, another one comes in between,
   and the first goes on atomically where it stood. A handshake hands control over to the receiver. */
/* expect: deadlock-free holds */
/* expect: 14 states */
chan bell = [0] of { bit };
byte steps, seen;
bool gate;

active proctype First() {
  atomic {
    steps = 1;
    gate;              /* blocks: others go on */
    seen = steps;
    assert(seen == 2);
    bell!1;            /* the receiver goes on, in its own atomic sequence */
    steps = 5
  }
  assert(steps >= 4)
}

active proctype Second() {
  (steps == 1);
  atomic {
    steps = 2;
    gate = true
  }
}

active proctype Third() {
  bit rung;
  atomic {
    bell?rung;
    assert(steps == 2);
    steps = 4
  }
}
