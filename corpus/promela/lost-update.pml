/* Two processes count without a lock: one of the updates is lost, and the assertion of the last one fails. */
/* expect: deadlock-free violated */
/* expect: no-errors violated */
/* expect: 38 states */
byte count, ended;

active [2] proctype Clerk() {
  byte seen;
  seen = count;
  count = seen + 1;
  ended++
}

active proctype Auditor() {
  (ended == 2);
  assert(count == 2)
}
