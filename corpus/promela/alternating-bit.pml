/* The alternating bit protocol over two lines that may lose whatever they carry. The sender sends again only when nothing
   else can happen: the `timeout` of an ideal clock. What arrives is what was sent, in order. */
/* expect: deadlock-free holds */
/* expect: 116 states */
#define DISTINCT 3

mtype = { data, ack };

chan forth = [1] of { mtype, byte, bit };
chan back = [1] of { mtype, bit };

inline lossy_send(line, kind, content, mark) {
  if
  :: line!kind(content, mark)
  :: skip      /* lost */
  fi
}

active proctype Sender() {
  byte item;
  bit mark, seen;
  do
  :: lossy_send(forth, data, item, mark);
     do
     :: back?ack(seen) ->
        if
        :: seen == mark -> break
        :: else
        fi
     :: timeout -> lossy_send(forth, data, item, mark)
     od;
     item = (item + 1) % DISTINCT;
     mark = !mark
  od
}

active proctype Receiver() {
  byte item, wanted;
  bit mark, next;
end:
  do
  :: forth?data(item, mark) ->
     if
     :: mark == next ->
        assert(item == wanted);
        wanted = (wanted + 1) % DISTINCT;
        next = !next
     :: else
     fi;
     if
     :: back!ack(mark)
     :: skip   /* lost */
     fi
  od
}
