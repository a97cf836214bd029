/* A clock that ticks for ever, and two workers: the first can always go on, the second only at every other tick. A
   scheduler that may forget somebody starves both. One that forgets nobody who waits without interruption (SPIN's -f)
   serves the first; only one that forgets nobody who could go on again and again serves the second as well. */
/* expect: deadlock-free holds */
/* expect: always_ready violated */
/* expect: always_ready holds under weak fairness */
/* expect: now_and_then violated */
/* expect: now_and_then violated under weak fairness */
/* expect: now_and_then holds under strong fairness */
/* expect: 8 states, 20 transitions */
bit clock;
bool first, second;

active proctype Clock() {
  do
  :: clock = 1 - clock
  od
}

active proctype First() {
  do
  :: first = !first
  od
}

active proctype Second() {
  do
  :: atomic { clock == 1 -> second = !second }
  od
}

ltl always_ready { [] <> first }
ltl now_and_then { [] <> second }
