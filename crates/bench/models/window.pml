#define W 3
#define M 8
chan data = [4] of { byte };
chan acks = [4] of { byte };
active proctype Sender() {
  byte base, next, a;
  do
  :: d_step { (next + M - base) % M < W && nfull(data) -> data!next; next = (next + 1) % M }
  :: d_step { (next + M - base) % M < W -> next = (next + 1) % M }
  :: d_step { 0 < (next + M - base) % M && nfull(data) -> data!(base % M) }
  :: d_step { 1 < (next + M - base) % M && nfull(data) -> data!((base + 1) % M) }
  :: d_step { 2 < (next + M - base) % M && nfull(data) -> data!((base + 2) % M) }
  :: acks?a;
     if
     :: d_step { (a + M - base) % M < (next + M - base) % M -> base = (a + 1) % M; a = 0 }
     :: d_step { !((a + M - base) % M < (next + M - base) % M) -> a = 0 }
     fi
  od
}
active proctype Receiver() {
  byte expected, x;
  do
  :: data?x;
     if
     :: d_step { x == expected -> expected = (expected + 1) % M; x = 0 }
     :: d_step { x != expected -> x = 0 }
     fi;
     if
     :: acks!((expected + M - 1) % M)
     :: true
     fi
  od
}
