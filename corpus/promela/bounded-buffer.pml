/* A buffer of two places as a process of its own, between a producer and two consumers. All hand over by rendezvous; the
   buffer guards its offers with what it holds. */
/* expect: deadlock-free holds */
/* expect: 924 states */
#define PLACES 2

chan put = [0] of { byte };
chan get = [0] of { byte };

active proctype Buffer() {
  byte place[PLACES], first, held;
end:
  do
  :: held < PLACES -> put?place[(first + held) % PLACES]; held++
  :: held > 0 -> get!place[first];
     d_step {
       place[first] = 0;
       first = (first + 1) % PLACES;
       held--
     }
  od
}

active proctype Producer() {
  byte item;
  do
  :: put!item; item = 1 - item
  od
}

active [2] proctype Consumer() {
  byte item;
  do
  :: get?item; assert(item < 2); item = 0
  od
}
