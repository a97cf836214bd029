#define N 13
bool fork[N];
active [N] proctype Phil() {
  do
  :: d_step { !fork[_pid] -> fork[_pid] = 1 };
     d_step { !fork[(_pid + 1) % N] -> fork[(_pid + 1) % N] = 1 };
     fork[_pid] = 0;
     fork[(_pid + 1) % N] = 0
  od
}
