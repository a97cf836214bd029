#define STAGES 2
chan q[STAGES+1] = [3] of { byte };
active [STAGES] proctype Stage() {
  byte x;
  do
  :: q[_pid]?x; d_step { nfull(q[_pid+1]) -> q[_pid+1]!(x + 1) % 3; x = 0 }
  od
}
active proctype Source() {
  do
  :: q[0]!0
  :: q[0]!1
  :: q[0]!2
  od
}
active proctype Sink() {
  do
  :: q[STAGES]?_
  od
}
