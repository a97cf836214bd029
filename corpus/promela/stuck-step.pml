/* A `d_step` may wait at its first statement, and nowhere else: this one can get stuck behind it. */
/* expect: deadlock-free violated */
chan one = [1] of { bit };
bit turn;

active [2] proctype Writer() {
  d_step {
    turn == _pid ->
    one!turn;
    turn = 1 - turn
  }
}
