#define N 5
byte level[N];
byte last[N];
#define free(j) (j == _pid || level[j] < k)
#define pass (last[k] != _pid || (free(0) && free(1) && free(2) && free(3) && free(4)))
active [N] proctype P() {
  byte k;
idle:
  k = 1;
enter:
  level[_pid] = k;
  last[k] = _pid;
  if
  :: d_step { pass && k < N-1 -> k = k + 1 }; goto enter
  :: pass && k == N-1
  fi;
  level[_pid] = 0;
  goto idle
}
