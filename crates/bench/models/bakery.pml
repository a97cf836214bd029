#define N 3
#define TOP 40
bool choosing[N];
byte ticket[N];
active [N] proctype P() {
  byte j, best;
idle:
  choosing[_pid] = 1;
  do
  :: d_step { j < N -> best = (ticket[j] > best -> ticket[j] : best); j = j + 1 }
  :: d_step { j == N && best < TOP -> ticket[_pid] = best + 1; choosing[_pid] = 0; j = 0; best = 0 }; break
  :: d_step { j == N && best == TOP -> choosing[_pid] = 0; j = 0; best = 0 }; goto idle
  od;
  do
  :: j < N && !choosing[(j < N -> j : 0)];
     d_step { ticket[j] == 0 || ticket[_pid] < ticket[j] || (ticket[_pid] == ticket[j] && _pid <= j) -> j = j + 1 }
  :: d_step { j == N -> j = 0 }; break
  od;
  ticket[_pid] = 0;
  goto idle
}
