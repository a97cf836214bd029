/* A server that ticks and, when it is busy, drops a request: who asked waits for ever while the ticking goes on. Nothing stands
   still, so there is no invalid end state; but a process is stuck for good that is at no valid end. */
/* expect: deadlock-free holds */
/* expect: partial-deadlock-free violated */
/* expect: 13 states */
mtype = { ask, answer };

chan requests = [1] of { mtype };
chan answers = [1] of { mtype };

active proctype Client() {
  requests!ask;
  answers?answer
}

active proctype Server() {
  bool busy;
end:
  do
  :: requests?ask ->
     if
     :: !busy -> answers!answer
     :: busy
     fi
  :: busy = !busy
  od
}
