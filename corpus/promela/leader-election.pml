/* Election in a ring in one direction: each station sends its number on, and swallows what is smaller than its own. The
   stations are created one after another by a process that hands them their channels, and end when the winner is known. */
/* expect: deadlock-free holds */
/* expect: 150 states */
#define N 3

mtype = { candidate, winner };

chan ring[N] = [2] of { mtype, byte };
byte leaders;

proctype Station(chan in; chan out; byte mine) {
  byte number;
  bool known;
  out!candidate(mine);
  do
  :: in?candidate(number) ->
     if
     :: number > mine -> out!candidate(number)
     :: number == mine -> leaders++; assert(leaders == 1); out!winner(mine)
     :: else
     fi
  :: in?winner(number) ->
     assert(number == N);
     known = true;
     if
     :: number != mine -> out!winner(number)
     :: else
     fi;
     break
  od;
  assert(known)
}

init {
  byte i;
  atomic {
    for (i : 0 .. N - 1) {
      run Station(ring[i], ring[(i + 1) % N], 1 + (i * 2) % N)
    }
  }
}
