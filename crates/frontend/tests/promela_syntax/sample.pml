/* Every construct of the language.
 */
#define N 3
#define MAX(a, b) ((a) > (b) -> (a) : (b))
#ifdef NEVER_DEFINED
this is not a model
#else
mtype = { ack, nak, data }
#endif
mtype:fruit = { apple, pear }; // a type of its own
typedef Pair { byte first; short second[2] };
typedef Frame { mtype kind; Pair pair; unsigned seq : 3 }

int x = 2, y[N], z[2] = { 1, 2 };
hidden byte h; show bool b = true; local pid p;
unsigned u : 5 = 3;
mtype:fruit basket = pear; mtype m = ack;
Frame frame;
chan sync = [0] of { byte };
chan buffer = [N + 1] of { mtype, byte, chan };
chan many[2] = [1] of { Pair };
chan free;

inline twice(v, by) {
  int t;
  t = v
  v = t + by
}
inline larger(v, w) { return MAX(v, w) }

proctype Sender(chan out; byte a, c) priority 2 provided (x > 0 && b) {
  xs buffer;
  xr sync;
  byte n = 0;
start: do
  :: atomic { n < 3 -> out!data, n, sync; n++ }
  :: d_step { n >= 3; n = 0; n-- }; skip
  :: out!!ack(n, sync) -> break
  :: n == N && !(x == 1) || x != 2 && len(out) < 2 -> goto start
  :: timeout -> goto end
  :: x == 5
  od
  { x = x << 1; x = x >> 1 | 2 & 3 ^ 4; x = ~x + -x * 7 / 2 % 5 } unless { b -> x = 'a' }
end: skip; accept_here: progress: skip
}

active [2] proctype Receiver() {
  byte i, n; chan reply; Pair pair;
  twice(x, 1); i = 3
  x = larger(x, i)
  if
  :: buffer?data, n, reply -> sync?n
  :: buffer?ack(n, _)
  :: buffer??nak, eval(n + 1), reply
  :: buffer?<m, 3, reply>
  :: buffer??<ack, -1, free>
  :: buffer?[data, n, reply] && empty(sync) -> skip
  :: buffer??[nak, _, free] || (full(buffer) && nempty(many[1]))
  :: many[0]?pair.first, pair.second[1], _
  fi;
  for (i : 0 .. N - 1) { y[i] = i; }
  for (i in z) { printf("%d %e\n", z[i], m) }
  select (i : 1 .. MAX(2, N));
  assert x >= 0; assert(b)
  if :: x == 1 :: else fi; printm(m); printf("done\n");
  frame.pair.second[y[0]] = (b -> frame.seq : 2);
  set_priority(_pid, get_priority(0)); skip unless x == 3
L: }

D_proctype Det() { x = _nr_pr; x = _last; _ = x }

init priority 1 {
  atomic { run Sender(buffer, 1, 2); p = run Det() priority 3 };
  (run Receiver()) ; true; false
}

never claim { do :: !(Sender[1]@start) :: Sender@end && Sender[1]:n == 2 && Sender:n == 3 -> break :: np_ :: enabled(1) && pc_value(0) == 1 od }

trace { do :: buffer!data, _, _; sync!0 :: buffer?_ od }

ltl { [] (x == 1 -> <> b) }
ltl p1 { always b U x implies eventually next b; }
ltl p2 { (b W x == 2) <-> ! X b V (x > 1) || b && Sender@end weakuntil Sender[1]:n release b stronguntil b equivalent b }
