#define TOP 96
byte x[3];
active [3] proctype Stir() {
  do
  :: x[_pid] = (x[_pid] + _pid + 1) % TOP;
     if
     :: d_step { x[_pid] % 2 == 0 || x[(_pid + 1) % 3] < TOP / 2 -> x[_pid] = (x[_pid] + 1) % TOP }
     :: x[_pid] % 3 == 1
     fi
  od
}
