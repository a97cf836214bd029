/* A box with room for one: who puts something in keeps control, and wants to put in another one. It cannot, and nobody takes anything out. */
// expect: deadlock-free violated
// expect: 3 states, 4 transitions
chan box = [1] of { byte };

active proctype Packer() {
  atomic {
    if
    :: box!1
    :: box!0
    fi;
    box!2
  }
}
