#define N 10
chan ring[N] = [2] of { byte };
byte leader = N;
#define own ((_pid * 3) % N)
#define out ring[(_pid + 1) % N]
active [N] proctype Node() {
  byte x;
  out!own;
end:
  do
  :: ring[_pid]?x;
     if
     :: d_step { x > own && nfull(out) -> out!x; x = 0 }
     :: d_step { x < own -> x = 0 }
     :: d_step { x == own -> leader = _pid; x = 0 }
     fi
  od
}
