/* Peterson's algorithm for two processes. A counter that nobody else reads shows who is inside; both go round for ever,
   and no state is an end. */
/* expect: deadlock-free holds */
/* expect: 38 states */
bool wants[2];
bit turn;
byte inside;

active [2] proctype Customer() {
  pid other = 1 - _pid;
  do
  :: wants[_pid] = true;
     turn = other;
     (!wants[other] || turn == _pid);
     inside++;
     assert(inside == 1);
     inside--;
     wants[_pid] = false
  od
}
