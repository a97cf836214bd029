/* Cells in a row sort what is fed into the first: each keeps the larger number and hands the other on. In between, a
   process sorts an array at once, in one indivisible and deterministic step; sorted sending gives the same order. */
/* expect: deadlock-free holds */
/* expect: 3826 states */
#define N 2

chan line[N] = [1] of { byte };
chan sorted = [N] of { byte };
byte kept[N], given[N];
bit finished;

inline swap(a, b) {
  hold = a; a = b; b = hold
}

proctype Cell(byte place) {
  byte number, i;
  for (i : place .. N - 1) {
    line[place]?number;
    if
    :: number > kept[place] ->
       if
       :: place < N - 1 && i > place -> line[place + 1]!kept[place]
       :: else
       fi;
       kept[place] = number
    :: else -> line[place + 1]!number
    fi
  }
}

init {
  byte i, j, hold;
  atomic { run Cell(0); run Cell(1) }
  for (i : 0 .. N - 1) {
    select (j : 1 .. 3);
    given[i] = j;
    sorted!!j;
    line[0]!j
  }
  full(sorted);
  d_step {
    for (i : 0 .. N - 2) {
      for (j : 0 .. N - 2) {
        if
        :: given[j] < given[j + 1] -> swap(given[j], given[j + 1])
        :: else
        fi
      }
    }
    hold = 0
  }
  (_nr_pr == 1);
  for (i in kept) {
    assert(kept[i] == given[i]);
    sorted?eval(kept[N - 1 - i])
  }
  finished = 1
}
