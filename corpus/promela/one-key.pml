/* One key for two guests: a warden gives it to whoever asks first, and takes it back before anybody else gets it. What
   happens to the key is written down as a trace of events. */
/* expect: deadlock-free holds */
/* expect: trace holds */
/* expect: 38 states */
chan ask = [2] of { pid };
chan key = [1] of { pid };
chan back = [0] of { pid };

active proctype Warden() {
  pid who;
end:
  do
  :: ask?who -> key!who; back?eval(who)
  od
}

active [2] proctype Guest() {
  ask!_pid;
  key?eval(_pid);
  back!_pid
}

trace {
end:
  do
  :: key!1 -> key?1; back?1
  :: key!2 -> key?2; back?2
  od
}
