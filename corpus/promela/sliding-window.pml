/* Go back N with a window of two over a line that loses: the sender keeps what is not acknowledged, and goes back to its
   first frame when nothing else happens. Numbers are counted modulo three, one more than the window. */
/* expect: deadlock-free holds */
/* expect: 1080 states */
#define WINDOW 2
#define NUMBERS 3

chan frames = [2] of { byte, bit };
chan acks = [1] of { byte };

active proctype Sender() {
  byte base, sent, ackd;      /* the first number without acknowledgement; how many are on their way */
  bit content[NUMBERS];
  do
  :: sent < WINDOW && nfull(frames) ->
     atomic {
       frames!(base + sent) % NUMBERS, content[(base + sent) % NUMBERS];
       sent++
     }
  :: acks?ackd ->
     d_step {
       do
       :: sent > 0 && base != ackd ->
          content[base] = 1 - content[base];
          base = (base + 1) % NUMBERS;
          sent--
       :: else -> break
       od;
       ackd = 0
     }
  :: timeout -> sent = 0
  od
}

active proctype Receiver() {
  byte number, next;
  bit item, parity[NUMBERS];
end:
  do
  :: frames?number, item ->
     if
     :: number == next ->
        d_step {
          assert(item == parity[number]);
          parity[number] = 1 - parity[number];
          next = (next + 1) % NUMBERS
        }
     :: else
     fi;
     d_step { number = 0; item = 0 }
     if
     :: acks!next
     :: skip         /* lost */
     fi
  :: frames?_, _     /* lost */
  od
}
