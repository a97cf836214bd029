/* Two servers who ask each other while both wait for an answer: an invalid end state. A bystander notes the moment before,
   by looking at where they are. */
/* expect: deadlock-free violated */
/* expect: 11 states */
mtype = { ask, answer };

chan to[2] = [1] of { mtype };
bool crossed;

active [2] proctype Server() {
  do
  :: to[1 - _pid]!ask;
waits:
     to[_pid]?answer
  :: to[_pid]?ask -> to[1 - _pid]!answer
  od
}

active proctype Watch() {
end:
  (Server[0]@waits && Server[1]@waits) -> crossed = true
}
