/* A token goes round, and with it the channel on which whoever holds it answers: stations learn from messages where to
   send, as nobody knows its neighbours beforehand. */
/* expect: deadlock-free holds */
/* expect: 69 states */
#define STATIONS 3

mtype = { token, done };

chan door[STATIONS] = [1] of { mtype, chan };
chan report = [0] of { mtype, pid };
byte holders;

proctype Station(byte own) {
  chan next;
  do
  :: door[own]?token(next) ->
     holders++;
     assert(holders == 1);
     report!done(_pid);
     holders--;
     if
     :: own == STATIONS - 1 -> next!token(door[1])
     :: own == 0 -> next!token(door[2])
     :: else -> next!token(door[0])
     fi
  od
}

init {
  pid who;
  atomic {
    run Station(0); run Station(1); run Station(2);
    door[0]!token(door[1])
  }
  do
  :: report?done(who); assert(who >= 1 && who <= STATIONS)
  od
}
